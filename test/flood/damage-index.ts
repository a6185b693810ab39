import { globSync, openSync, truncateSync, writeSync, closeSync, statSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readStatus } from './count-statuses.ts'
import { floodBounds } from './flood-bounds.ts'
import type { FloodOptions, FloodOutcome } from './flood-scenario.ts'
import { searchPath, startFloodTarget } from './flood-target.ts'
import { networkAddress } from './network-address.ts'

const pauseMs = 200

/** What can happen to a file that the server has open. */
const damages: Readonly<Record<string, (file: string) => void>> = {
  overwritten: (file) => {
    const { size } = statSync(file)
    const opened = openSync(file, 'r+')
    // All but the head, which is read when the file is opened.
    for (let at = 4_096; at < size; at += 4_096) writeSync(opened, Buffer.alloc(4_096, 0xa5), 0, 4_096, at)
    closeSync(opened)
  },
  truncated: (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
  emptied: (file) => truncateSync(file, 0),
  replaced: (file) => {
    rmSync(file)
    closeSync(openSync(file, 'w'))
  },
}

/** Damages the index file that is served, and waits until searches are answered again. */
export async function damageIndex({ checkout }: FloodOptions): Promise<FloodOutcome> {
  const outcome: FloodOutcome = { figures: {}, faults: [] }
  for (const [name, damage] of Object.entries(damages)) {
    const { healedAfterS, statuses, ready } = await heal(damage, checkout)
    outcome.figures[name] = { healedAfterS, statuses: [...new Set(statuses)], ready: [...new Set(ready)] }
    if (healedAfterS === null)
      outcome.faults.push(
        `${name}: no search within ${floodBounds.healSeconds} s; statuses ${[...new Set(statuses)].join(', ')}`,
      )
    if (statuses.includes(500)) outcome.faults.push(`${name}: a search was answered with 500`)
  }
  return outcome
}

async function heal(damage: (file: string) => void, checkout: string | undefined) {
  const target = await startFloodTarget({ checkout })
  // Different questions, because a damaged file still answers from what is cached.
  let asked = 0
  const search = () =>
    readStatus(
      target.post(searchPath, { query: `site ${queryWords[asked++ % queryWords.length]}` }, networkAddress(asked)),
    )
  try {
    await search()
    const files = globSync('indexes/*.sqlite', { cwd: target.folder })
    if (files.length === 0) throw new Error('The data folder holds no index file.')
    for (const file of files) damage(join(target.folder, file))
    const startedAt = performance.now()
    const statuses: number[] = []
    const ready: number[] = []
    let healedAfterS: number | null = null
    // Healed is what answers several different questions in a row.
    for (let inARow = 0; inARow < queryWords.length;) {
      const passedS = (performance.now() - startedAt) / 1_000
      if (passedS > floodBounds.healSeconds) return { healedAfterS: null, statuses, ready }
      const status = await search()
      statuses.push(status)
      ready.push(await readStatus(fetch(`${target.url}/readyz`)))
      if (status !== 200) inARow = 0
      else if (inARow++ === 0) healedAfterS = Number(passedS.toFixed(1))
      await wait(pauseMs)
    }
    return { healedAfterS, statuses, ready }
  } finally {
    await target.remove()
  }
}

const queryWords = [
  'repository',
  'assistant',
  'model',
  'webhook',
  'backup',
  'dashboard',
  'limit',
  'search',
  'token',
  'crawl',
]
