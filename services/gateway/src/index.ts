export { type GatewayConfig, gatewayConfigSchema } from './config';
export {
  createGatewayService,
  type GatewayEngines,
  type GatewayService,
} from './service';
