import { nameModel } from '../../contract/model-providers.ts'
import type { ChatModel } from '../chat-model.ts'
import { explainFailure } from './model-attempt.ts'
import type { ModelCallError, ModelFault } from './model-call-error.ts'

export type ModelCheck = { isUsable: true; modelId: string; tookMs: number } | UnusableModel

export interface UnusableModel {
  isUsable: false
  /** The problem and its remedy. Contains nothing of the reply, so anyone who may test a model may read it. */
  message: string
  /**
   * The reply, truncated and without keys. Only for the operator and the log, because the address may be any server.
   */
  said: string
}

/** The lowest limit that every provider accepts: some reject a single token. */
const outputTokensMax = 16

/**
 * Asks a model for one word. An unusable model is a result, not an error.
 *
 * @throws The reason of `signal` when that aborts.
 */
export async function checkModel(model: ChatModel, now: () => number, signal: AbortSignal): Promise<ModelCheck> {
  const startedAtMs = now()
  try {
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Say ok.' }] }]
    await model.doGenerate({ prompt, maxOutputTokens: outputTokensMax, abortSignal: signal })
    return { isUsable: true, modelId: nameModel(model), tookMs: now() - startedAtMs }
  } catch (error) {
    signal.throwIfAborted()
    const failure = explainFailure(error, model, now())
    return { isUsable: false, message: describeFault(failure), said: quoteError(failure) }
  }
}

/** The problem and its remedy, without anything of the reply. */
export function describeFault({ fault, modelId, message }: ModelCallError): string {
  return fault === 'address' ? `${modelId} was not called. ${message}` : `${modelId} ${advice[fault]}`
}

/** What the provider said, on one line. */
export function quoteError({ statusCode, message }: ModelCallError): string {
  const status = statusCode === null ? '' : `${statusCode}: `
  return `${status}${message.replaceAll(/\s+/g, ' ').trim()}`
}

const advice: Readonly<Record<Exclude<ModelFault, 'address'>, string>> = {
  key: 'refused the key. Check DOCENT_MODEL_API_KEY, or the variable of its provider, and the permissions of the key.',
  'unknown-model': 'is not known there. Check its name in DOCENT_MODEL and the address in DOCENT_MODEL_BASE_URL.',
  'rate-limit': 'receives too many requests. Wait a minute, or raise the limit at its provider.',
  quota: 'has used up its quota. Check the billing of its provider.',
  ceiling:
    'was not called, because the call could exceed the spending limit. Raise the ceiling, or wait until midnight UTC.',
  overloaded: 'failed at its provider. Try again in a minute, and set DOCENT_MODEL_FALLBACKS to continue without it.',
  unreachable: 'cannot be reached. Check DOCENT_MODEL_BASE_URL, the network and whether its server runs.',
  timeout:
    'took too long. Check its server, or raise DOCENT_MODEL_CONNECT_SECONDS and DOCENT_MODEL_FIRST_TOKEN_SECONDS.',
  'too-long': 'does not accept even a short prompt. Configure a larger context on its server.',
  tools: 'rejected tools that it was not given. Check its server.',
  refused: 'refused the request. Check that the address in DOCENT_MODEL_BASE_URL speaks the protocol of its provider.',
  oversized: 'sent more than is read of a reply. Check that its address speaks the protocol of its provider.',
  broken: 'gave an unreadable reply. Check that DOCENT_MODEL_BASE_URL speaks the protocol of its provider.',
}
