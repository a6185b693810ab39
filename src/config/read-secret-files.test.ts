import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readSecretFiles } from './read-secret-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'docent-secrets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

it('reads a secret from the file that its variable names', () => {
  const { env, faults } = readSecretFiles({
    PORT: '1',
    DATABASE_URL_FILE: write('url', 'postgres://db/docent\n'),
    DOCENT_SECRET_KEY: 'given',
    DOCENT_SECRET_KEY_FILE: '',
  })

  expect(env).toEqual({ PORT: '1', DATABASE_URL: 'postgres://db/docent', DOCENT_SECRET_KEY: 'given' })
  expect(faults).toEqual([])
})

it('knows no file for what is no secret', () => {
  expect(readSecretFiles({ PORT_FILE: '/nowhere' })).toEqual({ env: { PORT_FILE: '/nowhere' }, faults: [] })
})

it('says what is wrong with each file', () => {
  const empty = write('empty', ' \n')

  const { faults } = readSecretFiles({
    DOCENT_SECRET_KEY: 'given',
    DOCENT_SECRET_KEY_FILE: empty,
    DOCENT_ADMIN_KEY_FILE: empty,
    DOCENT_MODEL_API_KEY_FILE: join(folder, 'none'),
  })

  expect(faults).toEqual([
    { where: 'DOCENT_SECRET_KEY_FILE', message: 'is set together with DOCENT_SECRET_KEY: keep only one' },
    { where: 'DOCENT_ADMIN_KEY_FILE', message: `names ${empty}, which is empty` },
    { where: 'DOCENT_MODEL_API_KEY_FILE', message: `names ${join(folder, 'none')}, which cannot be read (ENOENT)` },
  ])
})
