import { cp, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { runServer, type RunServerInput } from '../../src/app/run-server.ts'
import type { FirstStart } from '../../src/app/first-start.ts'
import { runFolder } from './run-folder.ts'
import { waitUntilReady } from './wait-until-ready.ts'

/** A data folder that has its first start behind it. */
interface StartedFolder {
  path: string
  firstStart: FirstStart
  /** Address of its server, which the owner link contains. */
  baseUrl: string
}

let made: Promise<StartedFolder> | null = null

/**
 * Fills a new data folder with what the first start on it would make, index included: the first of a process starts and
 * stops the product, the others are copies, which take a tenth of the time.
 *
 * @param input The same for every call, except for the folder.
 * @returns What the first start made, its link leading to `baseUrl`.
 */
export async function copyFirstStart(
  into: string,
  input: (folder: string) => RunServerInput,
): Promise<(baseUrl: string) => FirstStart> {
  made ??= makeFirstStart(input)
  const { path, firstStart, baseUrl: madeAt } = await made
  await cp(path, into, { recursive: true })
  return (baseUrl) => ({ ...firstStart, ownerLink: firstStart.ownerLink.replace(madeAt, baseUrl) })
}

async function makeFirstStart(input: (folder: string) => RunServerInput): Promise<StartedFolder> {
  const path = await mkdtemp(join(runFolder(), 'first-start-'))
  const server = await runServer(input(path))
  const { firstStart } = server.service
  await waitUntilReady(server.url)
  await server.stop()
  if (firstStart === null) throw new Error('The folder for the first start was not empty.')
  return { path, firstStart, baseUrl: server.baseUrl }
}
