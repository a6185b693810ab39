export interface WireRequirement {
  id: string
  statement: string
  /** What the promise rests on. */
  source: string
}

/**
 * Everything that clients of the two streams may rely on, each once. Tests name the ids in brackets; a promise that no
 * test names fails `requirements.test.ts`.
 */
export const wireRequirements: readonly WireRequirement[] = [
  {
    id: 'v2-bytes',
    statement: 'A v2 answer has exactly the pinned frames in the pinned order and ends with [DONE].',
    source: 'AI SDK 5.0.0, UI message stream',
  },
  {
    id: 'v2-finish-strict',
    statement: 'An AI SDK client gets a finish frame with messageMetadata alone.',
    source: 'AI SDK before 5.0.217, 6.0.231 and 7.0.32: an unknown key on finish fails the answer',
  },
  {
    id: 'v2-finish-raw',
    statement: 'Every other client gets threadId and finishReason at the top of the finish frame.',
    source: 'Assistant API: threadId in the finish event',
  },
  {
    id: 'v2-nothing-after-done',
    statement: 'Nothing follows [DONE].',
    source: 'AI SDK 5 to 7 parse every event, also after [DONE]',
  },
  {
    id: 'v2-portable-keys',
    statement: 'No frame has a key that AI SDK 5.0.0 does not know.',
    source: 'AI SDK 5.0.0, strict chunk schema',
  },
  {
    id: 'v2-tools-run-here',
    statement: 'Tool calls are marked as executed by the provider, so that no client runs them.',
    source: 'AI SDK 5 to 7: onToolCall',
  },
  { id: 'v2-error', statement: 'A failure is an error frame and then [DONE].', source: 'Assistant API: errors' },
  {
    id: 'v2-sdk-detection',
    statement: 'Requests of the AI SDK are told by their trigger or by messages that sendMessage built.',
    source: 'AI SDK 5.0.0 to 7.0.173, default and custom bodies',
  },
  {
    id: 'v2-reset-step',
    statement: 'Only a client that accepts reset-step gets it, when another model takes over in the middle of a step.',
    source: 'AI SDK 7.0.70: reset-step; every release before fails the answer on an unknown part',
  },
  {
    id: 'v2-suggestions',
    statement: 'Suggested pages are one data-suggestions part of title, path and absolute url.',
    source: 'Assistant API: follow-up links',
  },
  {
    id: 'v2-sdk-declared',
    statement: 'A request that says so, or whose key does, is treated as one of the AI SDK.',
    source: 'AI SDK before 5.0.217, 6.0.231 and 7.0.32, with messages built by the application',
  },
  {
    id: 'v1-bytes',
    statement: 'A v1 answer has exactly the pinned lines in the pinned order.',
    source: 'AI SDK 4.1.15, data stream',
  },
  {
    id: 'v1-portable-codes',
    statement: 'Only the codes 0 2 3 8 9 a b c d e f g occur.',
    source: 'AI SDK 4.1.15: an unknown code fails the answer',
  },
  { id: 'v1-error', statement: 'A failure is a 3 line with a sentence.', source: 'Assistant API: errors' },
  {
    id: 'v1-thread',
    statement: 'The thread id stands in the d, 2 and 8 lines.',
    source: 'AI SDK 4: unknown keys of d are stripped, 2 and 8 reach the page',
  },
  {
    id: 'one-line-json',
    statement: 'U+2028, U+2029 and U+0085 are escaped, and half surrogate pairs survive.',
    source: 'Readers that split lines by Unicode',
  },
  {
    id: 'round-trip',
    statement: 'Any text in any split of the bytes is read as it was written.',
    source: 'Both formats',
  },
  {
    id: 'http-headers',
    statement: 'Each format has its headers, is not cached, not buffered by proxies, and has no length.',
    source: 'AI SDK servers; nginx X-Accel-Buffering',
  },
  {
    id: 'http-first-byte',
    statement: 'The head and a first byte go out before the source has anything to say.',
    source: 'Proxies and browsers time out on silence',
  },
  {
    id: 'http-heartbeat',
    statement: 'After 15 s of silence a heartbeat goes out that clients skip.',
    source: 'AI SDK: comments in v2, empty lines in v1',
  },
  {
    id: 'http-clean-end',
    statement:
      'A source that throws or stops short ends in an error frame that names nothing internal, never in a cut socket.',
    source: 'Assistant API: errors',
  },
  { id: 'http-drain', statement: 'A drain ends each stream with a sentence.', source: 'Assistant API: errors' },
  {
    id: 'http-disconnect',
    statement: 'The source is told when its client leaves.',
    source: 'AI SDK: stop() closes the connection',
  },
  {
    id: 'http-slow-reader',
    statement: 'A client that reads slowly holds its source back; one that does not read for a minute is cut off.',
    source: 'Node streams: backpressure',
  },
  {
    id: 'client-text',
    statement: 'Every supported client shows the exact text, reasoning, sources and search results.',
    source: 'AI SDK 4.1.15 to 7.0.173',
  },
  {
    id: 'client-metadata',
    statement: 'Every supported client can read which model answered and what the answer was judged to be.',
    source: 'AI SDK 4: data of useChat; AI SDK 5 to 7: message.metadata',
  },
  {
    id: 'client-thread',
    statement: 'Every supported client can read the thread id in each documented way and go on with it.',
    source: 'Assistant API: threads',
  },
  {
    id: 'client-http-error',
    statement: 'Every supported client shows the sentence of an HTTP error.',
    source: 'Assistant API: errors',
  },
  {
    id: 'client-stream-error',
    statement: 'Every supported client shows the sentence of a failure in mid-stream and keeps the text so far.',
    source: 'Assistant API: errors',
  },
  {
    id: 'client-stop',
    statement: 'stop() of every supported client keeps the text so far, shows no error and reaches the source.',
    source: 'AI SDK: stop()',
  },
  {
    id: 'client-resume-none',
    statement: 'Asking to resume where there is nothing is no error.',
    source: 'AI SDK 5 to 7: 204 on resume',
  },
  {
    id: 'client-resume',
    statement: 'resumeStream() of every supported client shows the whole answer, from its start, and goes on live.',
    source: 'AI SDK 5 to 7: resumeStream()',
  },
  {
    id: 'client-stop-elsewhere',
    statement: 'An answer that was stopped from outside ends for its readers without an error.',
    source: 'AI SDK 5 to 7: abort chunk',
  },
  {
    id: 'client-regenerate',
    statement: 'Another answer to the same question, asked for as each release does, takes the place of the first.',
    source: 'AI SDK 4: reload(); AI SDK 5 to 7: regenerate()',
  },
  {
    id: 'browser-cors',
    statement: 'useChat works from a page of another origin and can read the exposed headers.',
    source: 'Fetch standard: CORS',
  },
  {
    id: 'cors-preflight',
    statement: 'A preflight is answered with its origin and headers, User-Agent among them, for ten minutes.',
    source: 'AI SDK releases that send User-Agent from Safari and Firefox',
  },
  {
    id: 'answer-links',
    statement:
      'Links in the text are relative for requests with the Origin of the site, else absolute, or as asked for.',
    source: 'Markdown renderers resolve relative links against the page that shows the answer',
  },
  {
    id: 'request-liberal',
    statement: 'Bodies are accepted as every supported client sends them.',
    source: 'AI SDK 4.1.15 to 7.0.173, request bodies',
  },
  { id: 'request-faults', statement: 'Each fault of a body is named with its place.', source: 'Assistant API: errors' },
]
