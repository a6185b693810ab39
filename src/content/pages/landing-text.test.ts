import { expect, it } from 'vitest'
import { ConfigFields } from '../site-config/config-fields.ts'
import type { ConfigValue } from '../site-config/config-value.ts'
import { FindingList } from '../finding-list.ts'
import { readLandingText } from './landing-text.ts'

function read(value: ConfigValue): string {
  const fields = new ConfigFields(value, 'index.md', new FindingList())
  return readLandingText(fields, (url) => (url.startsWith('/') ? `/docs${url}` : null))
}

it('reads the hero, its actions and the features, and drops disallowed links', () => {
  const text = read({
    hero: {
      name: 'Kiosk',
      tagline: 'Prints <b>tickets</b>',
      actions: [
        { text: 'Start', link: '/start' },
        { text: 'Forge', link: 'https://forge.example' },
      ],
    },
    features: [{ title: 'Fast', details: 'Very', link: '/fast', linkText: 'How' }],
  })

  expect(text).toBe('Kiosk\n\nPrints tickets\n\n- [Start](/docs/start)\n\n**Fast**\n\nVery\n\n[How](/docs/fast)')
})

it('takes no more than fifty actions and two hundred features', () => {
  const many = Array.from({ length: 1_000 }, (_, index) => ({ text: `t${index}`, title: `f${index}`, link: '/x' }))

  const text = read({ hero: { actions: many }, features: many })

  expect(text.match(/^- \[t\d+\]/gm)).toHaveLength(50)
  expect(text.match(/^\*\*f\d+\*\*/gm)).toHaveLength(200)
})
