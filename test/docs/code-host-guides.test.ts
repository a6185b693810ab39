import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { forgeKinds, forges } from '../../src/contract/code-hosts.ts'

const read = (path: string) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8')

it.each(forgeKinds)('the documentation leads to the guide of %s, which says what an owner needs', (kind) => {
  const { guide, products, hosts } = forges[kind]
  const overview = read('guides/connect-a-repository.mdx')
  const row = overview.split('\n').find((line) => line.startsWith('|') && line.includes(`](${guide})`))
  const text = read(`${guide.slice(1)}.mdx`)

  for (const product of products) expect(row).toContain(product)
  for (const host of hosts) expect(overview).toContain(host)
  expect(read('docs.json')).toContain(`"${guide.slice(1)}"`)
  for (const part of ['docent -- site add https://', 'webhook', 'is untested on ']) expect(text).toContain(part)
})
