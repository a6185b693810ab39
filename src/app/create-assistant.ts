import { createSecretKey } from 'node:crypto'
import { type AnswerModels, isOffline } from '../assistant/answer-models.ts'
import type { AnswerDeps } from '../assistant/answer-question.ts'
import { billModel, createFreeModel } from '../models/calls/billed-model.ts'
import type { ChatModel } from '../models/chat-model.ts'
import { createOfflineModel } from '../models/offline/offline-model.ts'
import { parsePrices } from '../models/providers/prices.ts'
import { Lifecycle } from '../server/lifecycle.ts'
import { QuestionThread } from '../server/bodies/question-thread.ts'
import { startCountdown } from '../server/streams/countdown.ts'
import { ResumableStreams } from '../server/streams/resumable-streams.ts'
import { maskAnswers } from '../store/answers/mask-answers.ts'
import { createStreamWakes } from '../store/streams/stream-wakes.ts'
import { createWriteGroup } from '../store/write-group.ts'
import type { Foundation } from './foundation.ts'
import { LiveModels } from './live-models.ts'
import { readSiteCeilings } from './site-ceilings.ts'

/** Shortest time between two commits of answers. */
const commitIntervalMs = 5

/** The assistant: what answering questions uses. */
export interface Assistant {
  answers: AnswerDeps
  liveModels: LiveModels
  streams: ResumableStreams
  questionThread: QuestionThread
  lifecycle: Lifecycle
  /** Stores running answers as far as they have come. */
  close(): Promise<void>
}

function alone({ modelDeps, settings }: Foundation, given: ChatModel): AnswerModels {
  const deps = { ...modelDeps, prices: parsePrices(settings.modelPrices) }
  const model = isOffline(given) ? createFreeModel(given) : billModel(deps, given)
  return { answering: model, rewriting: model, mayAnswerOffline: isOffline(given) }
}

/**
 * @param model Replaces the configured model.
 * @throws {SettingsError} if the settings name no usable model: at the start, not at the first question.
 */
export async function createAssistant(foundation: Foundation, model: ChatModel | undefined): Promise<Assistant> {
  const { settings, store, clock, ids, log, modelDeps, deriveKey, telemetry } = foundation
  const liveModels = new LiveModels({ ...modelDeps, store, key: deriveKey('settings'), settings })
  const models = model === undefined ? () => liveModels.current() : async () => alone(foundation, model)
  await models()
  const groupedWrites = createWriteGroup(store, { intervalMs: commitIntervalMs })
  const writes = settings.maskStored ? maskAnswers(groupedWrites) : groupedWrites
  const lifecycle = new Lifecycle()
  const wakes = await createStreamWakes({ store, log, databaseUrl: settings.databaseUrl })
  const graceMs = settings.resumeGraceSeconds * 1_000
  const drainSignal = lifecycle.streamsEnd
  const streams = new ResumableStreams({ wakes, store, clock, ids, log, graceMs, startCountdown, drainSignal })
  const questionThread = new QuestionThread()
  const answers: AnswerDeps = {
    store,
    writes,
    clock,
    ids,
    models,
    offlineModel: createOfflineModel(),
    siteCeilings: readSiteCeilings(settings),
    questionCharsMax: settings.questionChars,
    masksPrompts: settings.maskPrompts,
    threadKeySecret: createSecretKey(deriveKey('threads')),
    metrics: telemetry.metrics,
  }
  const close = async () => {
    // Answers without readers still run.
    await streams.close()
    await wakes.close()
    await writes.close()
    await questionThread.close()
  }
  return { answers, liveModels, streams, questionThread, lifecycle, close }
}
