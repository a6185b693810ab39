import type { ChatModel } from '../chat-model.ts'

/** The cost of a call, actual or maximum. */
export interface CallCost {
  /** Input and output together, weighed as by `countWeightedTokens`. */
  tokens: number
  /** Null for a model without a known price, which is limited by tokens. */
  usd: number | null
}

/** Limits of the next call. */
export interface CallBounds {
  /** US dollars for a call of a model with a known price. */
  usd: number
  /** Tokens for a call of a model without one. */
  tokens: number
  /** Input tokens of any call. */
  promptTokens: number
  /** Whether to cut a prompt that is too long; otherwise the call is refused. */
  isPromptCut: boolean
}

/** A cost reserved for one call. It counts until settled. */
export interface CostReservation {
  /**
   * Replaces the reserved cost with the actual cost.
   *
   * @param isKnown False if the provider reported no usage and the amount is an upper bound.
   */
  settle(cost: CallCost, isKnown: boolean): Promise<void>
  /**
   * Told of a call that broke off, instead of `settle`. Without it the whole reservation stays.
   *
   * @param seen The cost of its prompt and of the output that arrived; the provider may count more.
   */
  breakOff?(seen: CallCost): void
}

/** Pays for model calls. */
export interface ModelAccount {
  readBounds(): CallBounds
  /** @returns Null if the account cannot cover it; then nothing is reserved. */
  reserve(most: CallCost): Promise<CostReservation | null>
}

/** A provider's chat model. It can only be called through an account, so that all spending is counted. */
export interface BilledModel extends Pick<ChatModel, 'provider' | 'modelId'> {
  /** Most input tokens of a call; infinite for a built-in model, which reads the whole conversation. */
  contextTokens: number
  billTo(account: ModelAccount): ChatModel
}

/** For calls by which operators test a model: a few tokens each. */
export const unlimitedAccount: ModelAccount = {
  readBounds: () => ({ usd: Infinity, tokens: Infinity, promptTokens: Infinity, isPromptCut: false }),
  reserve: async () => ({ settle: async () => undefined }),
}
