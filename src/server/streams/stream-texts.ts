/**
 * Texts as the body of a reply. Takes the next text only when the reader wants one, and ends the generator when the reader
 * leaves.
 *
 * @param first Sent before the others.
 */
export function streamTexts(texts: AsyncGenerator<string, void>, first = ''): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (first !== '') controller.enqueue(encoder.encode(first))
    },
    async pull(controller) {
      const next = await texts.next()
      if (next.done === true) controller.close()
      else controller.enqueue(encoder.encode(next.value))
    },
    cancel: async () => void (await texts.return()),
  })
}
