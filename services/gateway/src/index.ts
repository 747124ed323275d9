export { type GatewayConfig, gatewayConfigSchema } from './config';
export { openRedis } from './limits/open-redis';
export {
  createGatewayService,
  type GatewayEngines,
  type GatewayService,
} from './service';
