import type { ChatModel } from './chat-model.ts'

/** What a call costs, or the most that it can cost. */
export interface CallCost {
  /** Input and output together. */
  tokens: number
  /** Null for a model without a known price, which is bounded by its tokens. */
  usd: number | null
}

/** What the next call may take at most. */
export interface CallBounds {
  /** US dollars of a call of a model with a known price. */
  usd: number
  /** Tokens of a call of a model without one. */
  tokens: number
  /** Input tokens of any call. */
  promptTokens: number
  /** Whether a prompt that is too long is cut; otherwise its call is refused. */
  isPromptCut: boolean
}

/** A cost that is set aside for one call. It stays counted unless it is settled. */
export interface CostReservation {
  /**
   * Replaces the reserved cost with what the call really cost.
   *
   * @param isKnown False where the provider did not say and the amount is an upper bound.
   */
  settle(cost: CallCost, isKnown: boolean): Promise<void>
}

/** Pays for calls of models. */
export interface ModelAccount {
  readBounds(): CallBounds
  /** @returns Null when the account does not hold that much; nothing is reserved then. */
  reserve(most: CallCost): Promise<CostReservation | null>
}

/** A chat model of a provider. It can only be called on an account, so that no caller spends what nobody counts. */
export interface BilledModel extends Pick<ChatModel, 'provider' | 'modelId'> {
  billTo(account: ModelAccount): ChatModel
}

/** For calls that operators make themselves to try out a model: a few tokens each. */
export const unlimitedAccount: ModelAccount = {
  readBounds: () => ({ usd: Infinity, tokens: Infinity, promptTokens: Infinity, isPromptCut: false }),
  reserve: async () => ({ settle: async () => undefined }),
}
