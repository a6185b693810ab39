import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { firstStartName, setInstallationValueIfAbsent } from '../store/installation.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { createLog } from '../telemetry/log.ts'
import { waitForFirstStart } from './wait-for-first-start.ts'

let folder: string
let store: Store
const lines: string[] = []
const log = createLog('info', { write: (line) => void lines.push(line) })
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-test-'))
  store = await openStore({ folder })
  lines.length = 0
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

it('looks until another process has made the first start, and says once what it waits for', async () => {
  let pauses = 0
  const pause = async () => {
    pauses++
    if (pauses === 3) await setInstallationValueIfAbsent(store.durable, firstStartName, '1')
  }

  await waitForFirstStart({ store, log, pause }, new AbortController().signal)

  expect(pauses).toBe(3)
  expect(lines).toEqual([expect.stringContaining('worker-waiting-for-first-start')])
})

it('says nothing where the first start was made before', async () => {
  await setInstallationValueIfAbsent(store.durable, firstStartName, '1')

  await waitForFirstStart({ store, log }, new AbortController().signal)

  expect(lines).toEqual([])
})

it('ends when it is told to stop', async () => {
  const controller = new AbortController()
  const pause = async () => controller.abort()

  await waitForFirstStart({ store, log, pause }, controller.signal)

  expect(controller.signal.aborted).toBe(true)
})
