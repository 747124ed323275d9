import type { ServiceModule } from './service-module';

/**
 * The modules so that each comes after those it depends on, otherwise in the given order.
 * Dependencies that are not among them run elsewhere and do not count. Throws on a cycle or a
 * repeated name, naming the modules.
 */
export function startOrder(modules: readonly ServiceModule[]): readonly ServiceModule[] {
  const byName = new Map<string, ServiceModule>();
  for (const module of modules) {
    if (byName.has(module.name)) throw new Error(`module ${module.name} is given twice`);
    byName.set(module.name, module);
  }
  const ordered = new Set<ServiceModule>();

  function visit(module: ServiceModule, path: readonly string[]): void {
    if (ordered.has(module)) return;
    if (path.includes(module.name)) {
      throw new Error(`modules depend on each other: ${[...path, module.name].join(' -> ')}`);
    }
    for (const name of module.dependsOn ?? []) {
      const dependency = byName.get(name);
      if (dependency !== undefined) visit(dependency, [...path, module.name]);
    }
    ordered.add(module);
  }

  for (const module of modules) visit(module, []);
  return [...ordered];
}
