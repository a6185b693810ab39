import type { Clock } from '../../base/clock.ts'
import { SettingsError } from '../../config/load-settings.ts'
import { AppError } from '../../contract/app-error.ts'
import { nameModel, offlineModelId } from '../../contract/model-providers.ts'
import type { ModelCheckItem, ModelCheckResource } from '../../contract/model-settings.ts'
import { checkModel, type ModelCheck } from '../../models/calls/check-model.ts'
import { unlimitedAccount } from '../../models/calls/model-account.ts'
import { type CheckedModel, estimateProbe, probeModel } from '../../models/calls/probe-model.ts'
import { checkEmbeddingModel } from '../../models/embeddings/check-embedding-model.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Timeout of a model check, and of one that tries out everything. */
const checkMsMax = 60_000
const probeMsMax = 240_000

type CheckDeps = Pick<ServerDeps, 'answers' | 'openForCheck' | 'clock' | 'randomBytes'>

export interface CheckedInFull {
  reply: ModelCheckResource
  /** The provider's reply to a failed check, for the log. */
  said: string | null
}

/** Asks the current model for one word. */
export async function checkCurrentModel({ answers, clock }: CheckDeps): Promise<CheckedInFull> {
  const { answering } = await answers.models()
  const model = nameModel(answering)
  const signal = AbortSignal.timeout(checkMsMax)
  const check = await checkModel(answering.billTo(unlimitedAccount), () => clock.now(), signal).catch(
    (error: unknown): ModelCheck => {
      if (!signal.aborted) throw error
      return { isUsable: false, message: describeLate(model, checkMsMax), said: 'nothing' }
    },
  )
  const message = check.isUsable ? `${model} answered in ${check.tookMs} ms.` : check.message
  return {
    reply: { isUsable: check.isUsable, model, message, checks: [] },
    said: check.isUsable ? null : check.said,
  }
}

const builtIn: ModelCheckResource = {
  isUsable: true,
  model: offlineModelId,
  message: `${offlineModelId} is built in: there is nothing to test. Choose a model first, or name one.`,
  checks: [],
}

/** Says what trying out everything may cost. */
export async function estimateCheck({ openForCheck }: CheckDeps, id: string | undefined): Promise<ModelCheckResource> {
  const { model, price } = await open(openForCheck, id)
  if (nameModel(model) === offlineModelId) return builtIn
  return { isUsable: true, model: nameModel(model), message: estimateProbe(nameModel(model), price), checks: [] }
}

/** Tries out what a model can do. */
export async function checkEverything(
  { openForCheck, clock, randomBytes }: CheckDeps,
  id: string | undefined,
): Promise<ModelCheckResource> {
  const { model, embedding } = await open(openForCheck, id)
  if (nameModel(model) === offlineModelId) return builtIn
  const signal = AbortSignal.timeout(probeMsMax)
  const checks: ModelCheckItem[] = []
  const deps = { now: () => clock.now(), random: () => (randomBytes(1)[0] ?? 0) / 256 }
  try {
    for await (const item of probeModel(deps, model.billTo(unlimitedAccount), signal)) checks.push(item)
    if (embedding !== null) checks.push(await checkEmbedding(clock, embedding, signal))
  } catch (error) {
    if (!signal.aborted) throw error
    checks.push({ check: 'connection', state: 'failed', message: describeLate(nameModel(model), probeMsMax) })
  }
  const isUsable = checks.every(({ state }) => state !== 'failed')
  return { isUsable, model: nameModel(model), message: summarize(nameModel(model), checks), checks }
}

async function open(openForCheck: CheckDeps['openForCheck'], id: string | undefined): Promise<CheckedModel> {
  try {
    return await openForCheck(id)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const reasons = error.faults.map(({ where, message }) => `${where} ${message}`)
    throw new AppError('invalid_request', `The model cannot be tested: ${reasons.join('; ')}.`)
  }
}

async function checkEmbedding(
  clock: Clock,
  model: NonNullable<CheckedModel['embedding']>,
  signal: AbortSignal,
): Promise<ModelCheckItem> {
  const found = await checkEmbeddingModel({ clock }, model, signal)
  if (!found.isUsable) return { check: 'embeddings', state: 'failed', message: found.message }
  const message = `${found.modelId} returned a vector of ${found.dimensions} dimensions in ${found.tookMs} ms.`
  return { check: 'embeddings', state: 'works', message }
}

function summarize(model: string, checks: readonly ModelCheckItem[]): string {
  const failed = checks.find(({ state }) => state === 'failed')
  if (failed !== undefined) return failed.message
  const missing = checks.filter(({ state }) => state === 'missing').map(({ check }) => check)
  return missing.length === 0 ? `${model} can do everything.` : `${model} works, but without ${missing.join(', ')}.`
}

function describeLate(model: string, limitMs: number): string {
  return `${model} did not respond within ${limitMs / 1_000} seconds. Check its server.`
}
