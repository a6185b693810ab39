import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { asAdmin } from '../support/pull-requests.ts'
import { startDocent } from '../support/start-docent.ts'

// The threat model says which test holds which defence. It is only worth as much as those tests are there.

const root = resolve(import.meta.dirname, '../..')

interface Threat {
  heading: string
  files: string[]
  tests: { file: string; name: string }[]
}

async function readThreats(): Promise<Threat[]> {
  const page = await readFile(join(root, 'docs/contributing/threat-model.md'), 'utf8')
  const sections = page.slice(page.indexOf('\n## Threats\n')).split('\n### ').slice(1)
  return sections.map((section) => {
    const [heading = '', ...lines] = section.split('\n')
    const files = lines
      .filter((line) => line.startsWith('- Code: '))
      .flatMap((line) => line.match(/(?<=`)[^`,]+(?=`)/g) ?? [])
    const tests = lines
      .filter((line) => line.startsWith('- Test: '))
      .map((line) => /^- Test: `([^`]+)`: "(.+)"$/.exec(line))
      .map((match) => ({ file: match?.[1] ?? '', name: match?.[2] ?? '' }))
    return { heading, files: files.filter((file) => file.trim() !== ''), tests }
  })
}

/** Whether a file declares a test, or a group of tests, of this name. */
async function declares(file: string, name: string): Promise<boolean> {
  if (!existsSync(join(root, file))) return false
  const text = await readFile(join(root, file), 'utf8')
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", "\\\\?'")
  return new RegExp(`(?:\\b(?:it|describe)|\\))\\(\\s*['"\`]${escaped}['"\`]\\s*,`).test(text)
}

it('every threat names code that is there and a test that is there', async () => {
  const threats = await readThreats()
  const missing: string[] = []
  for (const { heading, files, tests } of threats) {
    if (files.length === 0) missing.push(`${heading}: no code`)
    if (tests.length === 0) missing.push(`${heading}: no test`)
    missing.push(...files.filter((file) => !existsSync(join(root, file))).map((file) => `${heading}: ${file}`))
    for (const { file, name } of tests) {
      if (!(await declares(file, name))) missing.push(`${heading}: ${file}: "${name}"`)
    }
  }

  expect(missing).toEqual([])
  expect(threats.length).toBeGreaterThanOrEqual(35)
})

it('a test that is not there would be missed', async () => {
  expect(await declares('test/security/threat-model.test.ts', 'nobody has written this')).toBe(false)
  expect(await declares('test/security/no-such-file.ts', 'nobody has written this')).toBe(false)
})

it("no sample of the documentation writes an event's text into a script", async () => {
  const faults: string[] = []
  let pages = 0
  for await (const file of glob('{README.md,docs/**/*.{md,mdx}}', { cwd: root })) {
    pages++
    const text = await readFile(join(root, file), 'utf8')
    // What a workflow puts into `env:` reaches the script as a value; anywhere else it is part of the script.
    const written = text
      .split('\n')
      .filter((line) => /\$\{\{\s*github\.(?:event|head_ref)\b/.test(line) && !/^\s*[A-Z_]+:\s/.test(line))
    faults.push(...written.map((line) => `${file}: ${line.trim()}`))
  }

  expect(faults).toEqual([])
  expect(pages).toBeGreaterThan(30)
})

it('a site that cannot be read leaves the service ready for the others', async () => {
  const docent = await startDocent()
  try {
    const source = { kind: 'git', location: 'https://forge.invalid/acme/docs' }
    const made = await docent.post('/admin/v1/sites', { slug: 'broken', name: 'Broken', source }, asAdmin)

    expect(made.status).toBe(201)
    expect((await docent.get('/readyz')).status).toBe(200)
    expect((await docent.post('/discovery/v1/search/docs', { query: 'install' })).status).toBe(200)
  } finally {
    await docent.remove()
  }
})
