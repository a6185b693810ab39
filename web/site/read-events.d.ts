export function readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<{ type: string; [field: string]: unknown }>
