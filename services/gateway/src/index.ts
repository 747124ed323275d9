export { type GatewayConfig, gatewayConfigSchema } from './config';
export { openRedis } from './limits/open-redis';
export { createGatewayService, type GatewayService } from './service';
