import type { StreamEvent } from './turn.ts'

/** Parses server-sent events: one `data:` line and an empty line each; `[DONE]` is the last. */
export async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<StreamEvent, void> {
  let rest = ''
  for await (const text of readTexts(body)) {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = block.split('\n').find((line) => line.startsWith('data: '))
      if (data === undefined) continue
      if (data === 'data: [DONE]') return
      // The service's own stream.
      yield JSON.parse(data.slice('data: '.length)) as StreamEvent
    }
  }
}

/** Uses a reader, because Safari cannot iterate over a stream. */
async function* readTexts(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string, void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}
