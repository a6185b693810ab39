import { expect, it } from 'vitest'
import { containsLink } from './contains-link.ts'

it('takes addresses and tags in fenced code for code', () => {
  expect(
    containsLink('Ask:\n\n```sh\ncurl https://a.example/<id>\n```\n\n- Done.\n\n````md\n[a](https://b.example)\n````'),
  ).toBe(false)
})

it.each([
  ['after code', '```\na\n```\nhttps://a.example'],
  ['in a fence that a list ends', '- ```\nhttps://a.example\n```'],
  ['after a fence that ends indented', '```\na\n  ```\nhttps://a.example\n```\n'],
  ['after a fence that ends at a carriage return', '```\na\r```\rhttps://a.example\n```\n'],
  ['between fences of other marks', '~~~\n```\n~~~\nhttps://a.example\n```\n'],
  ['between marks of code in a line', '`` a\n\n``` b ```\nhttps://a.example\n```\n'],
  ['in HTML that holds a fence', '<div>\n```\n<b>\n```\n</div>'],
])('finds what leads out %s', (_, markdown) => {
  expect(containsLink(markdown)).toBe(true)
})
