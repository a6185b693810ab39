import { AppError } from '../contract/app-error.ts'
import type { AppContext } from './app-env.ts'
import { ByteCollector } from './byte-collector.ts'

/** The body as it came. @throws {AppError} `body_too_large`, before more than that is held. */
export async function readBytes(c: AppContext, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const refuse = () =>
    new AppError('body_too_large', `The body is larger than ${bytesMax / 1024 / 1024} MiB. Send less.`)
  if (Number(c.req.header('content-length') ?? 0) > bytesMax) throw refuse()
  const collector = new ByteCollector()
  for await (const chunk of c.req.raw.body ?? []) {
    if (collector.length + chunk.length > bytesMax) throw refuse()
    collector.push(chunk)
  }
  return collector.bytes
}
