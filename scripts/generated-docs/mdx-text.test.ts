import { expect, it } from 'vitest'
import { escapeMdx, writePage, writeTable } from './mdx-text.ts'

it('lets no text open a tag or an expression, and leaves code as it is', () => {
  expect(escapeMdx('Send {id} or <key> to `/sites/{id}`.')).toBe('Send \\{id\\} or \\<key> to `/sites/{id}`.')
})

it('keeps a cell in its column whatever it holds', () => {
  expect(writeTable(['Name'], [['a|b\nc']])).toBe('| Name |\n| --- |\n| a\\|b c |')
})

it('quotes the title and the description of a page, and says where it comes from', () => {
  const page = writePage({ title: 'Errors: "all"', description: 'Every code.', source: 'codes.ts', blocks: ['Text.'] })

  expect(page).toBe(
    '---\ntitle: "Errors: \\"all\\""\ndescription: "Every code."\n---\n\n' +
      '{/* Made from codes.ts by "npm run generate". Edit that, not this. */}\n\nText.\n',
  )
})
