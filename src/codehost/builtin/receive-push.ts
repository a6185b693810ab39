import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { IdSource } from '../../base/ids.ts'
import { AppError } from '../../contract/app-error.ts'
import type { GitServiceRun } from '../../git/remotes/serve-git.ts'
import type { Repository } from '../../store/hosting/repositories.ts'
import { readBodyStart } from '../../base/body-start.ts'
import type { SharedRepositories } from './shared-repositories.ts'

export interface ReceivePushDeps {
  repositoryFolder: string
  sharedRepositories: SharedRepositories
  ids: IdSource
}

export interface ReceivePushInput {
  repository: Repository
  /** The unmodified body. */
  input: Readable
  /** Runs git on the push in a repository. */
  start(place: { gitDirectory: string; input: Readable }, signal: AbortSignal): Promise<GitServiceRun>
}

/** Bounds git's report on a push. */
const bodyBytesMax = 256 * 1024 * 1024
const reportBytesMax = 4 * 1024 * 1024

/**
 * Receives a push where several processes share the repository. Git's answer is held back until the push is recorded,
 * so that a client that sees success finds the push on every process.
 *
 * The body is first spooled to disk, so that a slow client does not hold the repository's lease.
 *
 * @returns Git's answer once the push is recorded, or its rejection if nothing has changed.
 */
export async function receivePush(
  { repositoryFolder, sharedRepositories, ids }: ReceivePushDeps,
  { repository, input, start }: ReceivePushInput,
  signal: AbortSignal,
): Promise<GitServiceRun> {
  const file = join(repositoryFolder, `body-${ids.ulid()}.unfinished`)
  await mkdir(repositoryFolder, { recursive: true, mode: 0o700 })
  try {
    await pipeline(input, limitBytes(bodyBytesMax), createWriteStream(file, { mode: 0o600 }), { signal })
    const push = async (gitDirectory: string, held: AbortSignal) => {
      const run = await start({ gitDirectory, input: createReadStream(file) }, held)
      const { bytes: report, isWhole } = await readBodyStart(run.output, reportBytesMax)
      if (!isWhole) throw new Error("Git's report on the push is too long.")
      return { report, outcome: await run.ended }
    }
    const { report, outcome } = await sharedRepositories.change(repository, push, signal)
    return { output: Readable.from([report]), ended: Promise.resolve(outcome) }
  } finally {
    await rm(file, { force: true })
  }
}

function limitBytes(bytesMax: number): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size <= bytesMax) done(null, chunk)
      else done(new AppError('body_too_large', `The request is larger than ${bytesMax} bytes. Push in smaller parts.`))
    },
  })
}
