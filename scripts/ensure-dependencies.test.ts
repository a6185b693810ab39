import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { ensureDependencies } from './ensure-dependencies.js'

const folder = mkdtempSync(join(tmpdir(), 'ensure-dependencies-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('never installs through a link into the dependencies of another checkout', async () => {
  const [checkout, other] = [join(folder, 'checkout'), join(folder, 'other')]
  for (const path of [checkout, join(other, 'package')]) mkdirSync(path, { recursive: true })
  writeFileSync(join(checkout, 'package-lock.json'), '{ "lockfileVersion": 3, "packages": {} }')
  writeFileSync(join(checkout, 'package.json'), '{}')
  symlinkSync(other, join(checkout, 'node_modules'))

  await expect(ensureDependencies(checkout, { isProduct: false, env: process.env })).rejects.toThrow('Remove the link')
  expect(readdirSync(other)).toEqual(['package'])
})
