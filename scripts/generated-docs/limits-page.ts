import { lifetimeSecondsMax } from '../../src/access/readers/reader-identity.ts'
import { toolCallsMax } from '../../src/agent/rounds/run-steps.ts'
import { signInGate } from '../../src/app/sign-in-methods.ts'
import { answerBounds } from '../../src/assistant/answer-bounds.ts'
import { shownCharsMax } from '../../src/assistant/tools/shown-outputs.ts'
import { listSettingGroups } from '../../src/config/settings.ts'
import { documentBytesMax } from '../../src/content/openapi/openapi-library.ts'
import { chunkCharsMax } from '../../src/content/pages/chunk-page.ts'
import { sitePagesMax } from '../../src/content/site-reading.ts'
import { folderLimits } from '../../src/content/trees/folder-tree.ts'
import { pageBytesMax } from '../../src/content/trees/read-text.ts'
import { listLimits } from '../../src/contract/admin.ts'
import * as request from '../../src/contract/assistant-request.ts'
import { attachmentBounds } from '../../src/contract/attachments.ts'
import { groupDigits } from '../../src/contract/count-of.ts'
import { keyDefaults } from '../../src/contract/key-defaults.ts'
import * as operation from '../../src/contract/operations/operation.ts'
import * as search from '../../src/contract/search.ts'
import { gitGate } from '../../src/git/remotes/serve-git.ts'
import { replyBounds } from '../../src/models/calls/bounded-reply.ts'
import { threadsMax, timeLimitDefaultMs } from '../../src/search/search-engine.ts'
import { sentPerThreadMax, waitingMaxDefault } from '../../src/search/workers/search-worker-pool.ts'
import { smallBytesMax } from '../../src/server/bodies/body-reading.ts'
import { bodyPlacesDefault } from '../../src/server/bodies/body-places.ts'
import { jsonBounds } from '../../src/server/bodies/json-scanner.ts'
import { answerWaitMsMax } from '../../src/server/create-gate.ts'
import { jobDiffGate } from '../../src/server/handlers/agent.ts'
import { connectionLimitsDefault } from '../../src/server/http-server.ts'
import * as counted from '../../src/server/requests/request-limits.ts'
import { pullRequestGate } from '../../src/server/routes/pull-request-pages.ts'
import { heartbeatMs, stalledHeartbeatsMax } from '../../src/server/streams/response-writer.ts'
import { memoryMbMaxDefault, runMsMax } from '../../src/sites/indexing/index-processes.ts'
import { writePage } from './mdx-text.ts'

const { website } = keyDefaults

/** What stands for `{{NAME}}` in `limits.md`; the names of settings stand for their defaults. */
const values: Readonly<Record<string, string>> = {
  ...readSettingDefaults(),
  session: groupDigits(counted.sessionMax),
  handOverHour: groupDigits(counted.handOversPerHour),
  handOverDay: groupDigits(counted.handOversOfNetworkPerDay),
  websiteNormalPerMinute: groupDigits(website.normalPerMinute),
  websitePerMinute: groupDigits(website.networkPerMinute),
  websitePerDay: groupDigits(website.networkPerDay),
  websiteShare: groupDigits(website.networkSharePercent),

  answerWait: writeDuration(answerWaitMsMax),
  searchesPerThread: groupDigits(sentPerThreadMax),
  searchThreads: groupDigits(threadsMax),
  searchesWaiting: groupDigits(waitingMaxDefault),
  searchTime: writeDuration(timeLimitDefaultMs),
  ...describeGate('git', gitGate),
  ...describeGate('pullRequest', pullRequestGate),
  ...describeGate('jobDiff', jobDiffGate),
  ...describeGate('signIn', signInGate),
  smallBody: writeSize(smallBytesMax),
  bodies: writeSize(bodyPlacesDefault.bytesMax),
  bodiesWaiting: groupDigits(bodyPlacesDefault.waitingMax),
  bodyWait: writeDuration(bodyPlacesDefault.waitMsMax),
  bodyTime: writeDuration(bodyPlacesDefault.bodyMsMax),

  messageBody: writeSize(operation.messageBytesMax),
  jobBody: writeSize(operation.jobBytesMax),
  longTextBody: writeSize(operation.longTextBytesMax),
  otherBody: writeSize(operation.bodyBytesMaxDefault),
  jsonDepth: groupDigits(jsonBounds.depth),
  jsonKeys: groupDigits(jsonBounds.keys),
  jsonKeysOfObject: groupDigits(jsonBounds.keysOfObject),
  jsonValues: groupDigits(jsonBounds.values),
  jsonMessages: groupDigits(jsonBounds.messages),
  questionChars: groupDigits(request.questionCharsMax),
  contextEntries: groupDigits(request.contextEntriesMax),
  contextChars: groupDigits(request.contextValueCharsMax),
  filterChars: groupDigits(request.filterCharsMax),
  filterGroups: groupDigits(request.filterGroupsMax),
  fpChars: groupDigits(request.fpCharsMax),
  threadIdChars: groupDigits(request.threadIdCharsMax),
  currentPathChars: groupDigits(request.currentPathCharsMax),
  queryChars: groupDigits(search.queryCharsMax),
  pathChars: groupDigits(search.pathCharsMax),
  retrievalPageSize: groupDigits(request.retrievalPageSizeMax),
  searchPageSize: groupDigits(search.pageSizeMax),
  messages: groupDigits(request.questionMessagesMax),
  historyChars: groupDigits(request.historyCharsMax),
  historyMessageChars: groupDigits(request.historyMessageCharsMax),
  parts: groupDigits(request.partsMax),
  files: groupDigits(attachmentBounds.files),
  images: groupDigits(attachmentBounds.images),
  imageBytes: writeSize(attachmentBounds.imageBytes),
  imagePixels: groupDigits(attachmentBounds.imagePixels),
  textBytes: writeSize(attachmentBounds.textBytes),
  allTextBytes: writeSize(attachmentBounds.allTextBytes),
  shownChars: groupDigits(shownCharsMax),
  promptTokens: groupDigits(answerBounds.promptTokens),
  outputTokens: groupDigits(answerBounds.outputTokens),
  totalOutputTokens: groupDigits(answerBounds.totalOutputTokens),
  totalTokens: groupDigits(answerBounds.totalTokens),
  answerToolCalls: groupDigits(answerBounds.toolCalls),
  jobToolCalls: groupDigits(toolCallsMax),
  eventBytes: writeSize(replyBounds.eventBytes),
  replyBytes: writeSize(replyBounds.replyBytes),
  errorBytes: writeSize(replyBounds.errorBytes),
  listLimit: groupDigits(listLimits.max),
  listDefault: groupDigits(listLimits.default),

  pages: groupDigits(sitePagesMax),
  pageBytes: writeSize(pageBytesMax),
  documentBytes: writeSize(documentBytesMax),
  folderFiles: groupDigits(folderLimits.filesMax),
  folderBytes: writeSize(folderLimits.totalBytesMax),
  fileBytes: writeSize(folderLimits.fileBytesMax),
  folderDepth: groupDigits(folderLimits.depthMax),
  passageChars: groupDigits(chunkCharsMax),
  syncTime: writeDuration(runMsMax),
  syncMemory: writeSize(memoryMbMaxDefault * 1024 ** 2),

  answerSteps: groupDigits(answerBounds.steps),
  heartbeat: writeDuration(heartbeatMs),
  stalledStream: writeDuration(heartbeatMs * stalledHeartbeatsMax),
  silentReply: writeDuration(connectionLimitsDefault.silenceMs),
  requestHead: writeDuration(connectionLimitsDefault.headMs),
  wholeRequest: writeDuration(connectionLimitsDefault.requestMs),
  identity: writeDuration(lifetimeSecondsMax * 1_000),
}

/**
 * The reference of limits: text written by hand, with the numbers that the code enforces.
 *
 * @throws If the text names an unknown value.
 */
export function writeLimitsPage(text: string): string {
  return writePage({
    title: 'Limits reference',
    description: 'Every limit in Docent: rate limits with their headers, request sizes, site sizes and time limits.',
    source: 'scripts/generated-docs/limits.md and the constants of src',
    blocks: [text.trim().replace(/\{\{(\w+)\}\}/g, (_, name: string) => findValue(name))],
  })
}

function findValue(name: string): string {
  const value = values[name]
  if (value === undefined) throw new Error(`limits.md names {{${name}}}, which limits-page.ts does not have.`)
  return value
}

/** Numbers only; 0 stands for no limit. */
function readSettingDefaults(): Record<string, string> {
  const settings = listSettingGroups().flatMap((group) => group.settings)
  return Object.fromEntries(
    settings.flatMap(({ meta, defaultValue }) => {
      if (typeof defaultValue !== 'number') return []
      return [[meta.env, defaultValue === 0 ? 'none' : groupDigits(defaultValue)]]
    }),
  )
}

interface Gate {
  runningMax: number
  runningPerSubjectMax?: number
  waitingMax: number
  waitMsMax: number
}

function describeGate(name: string, gate: Gate): Record<string, string> {
  return {
    [`${name}Running`]: groupDigits(gate.runningMax),
    [`${name}PerSubject`]: groupDigits(gate.runningPerSubjectMax ?? gate.runningMax),
    [`${name}Waiting`]: groupDigits(gate.waitingMax),
    [`${name}Wait`]: writeDuration(gate.waitMsMax),
  }
}

/** In the largest unit that divides it. */
function writeSize(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB']
  let size = bytes
  let unit = 0
  while (size % 1024 === 0 && unit < units.length - 1) [size, unit] = [size / 1024, unit + 1]
  return `${groupDigits(size)} ${units[unit]}`
}

/** In hours or minutes where at least two of them make it up, else in seconds. */
function writeDuration(ms: number): string {
  const seconds = ms / 1_000
  if (seconds % 3_600 === 0 && seconds >= 7_200) return `${seconds / 3_600} hours`
  if (seconds % 60 === 0 && seconds >= 120) return `${seconds / 60} minutes`
  return `${seconds} seconds`
}
