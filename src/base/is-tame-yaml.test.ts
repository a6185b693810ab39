import { expect, it } from 'vitest'
import { isTameYaml } from './is-tame-yaml.ts'

it.each(['}', '}, ', '[', '{a: ', '? ', '- ', '%\n', '|\n', '\r'])('refuses a long run of %j', (unit) => {
  expect(isTameYaml(`openapi: 3.1.0\n${unit.repeat(5_000)}`)).toBe(false)
})

it('accepts large files as people and tools write them', () => {
  const item = '- { name: "a}", tags: [x, y] }\r\n- - nested\r\n- text: |\r\n    if (a) { b() }\r\n'

  expect(isTameYaml(item.repeat(10_000))).toBe(true)
})
