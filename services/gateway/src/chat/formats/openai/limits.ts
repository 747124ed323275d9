/** Bounds of a chat request; the hand-written checks and their documenting schema share them. */
export const CHAT_LIMITS = {
  modelLengthMax: 256,
  messagesMax: 2048,
  temperatureMax: 2,
  topPMax: 1,
  penaltyMin: -2,
  penaltyMax: 2,
  /** The wire's bound; a model's own cap is checked where models are known. */
  maxTokensMax: 4_294_967_295,
  stopMax: 4,
  stopLengthMax: 256,
  userLengthMax: 512,
  choicesMax: 16,
  toolsMax: 128,
  toolNameLengthMax: 64,
  toolCallsMax: 128,
  toolCallIdLengthMax: 256,
  topLogprobsMax: 20,
  logitBiasMin: -100,
  logitBiasMax: 100,
} as const;
