import { expect, it } from 'vitest'
import { fillVueTemplates } from './fill-vue-templates.ts'
import { threadCpuMs } from '../../../../test/support/thread-cpu-ms.ts'

const setup =
  "<script setup>\nconst max = 12\nconst rows = [{ name: 'alpha', use: 'first' }, { name: 'beta', use: 'second' }]\n</script>\n"

it.each([
  ['a field of the frontmatter', '# {{ $frontmatter.title }}', '# Limits'],
  ['a nested field', '{{ $frontmatter.plan.days }} days', '30 days'],
  ['a constant of the script', 'At most {{ max }}.', 'At most 12.'],
  ['a text', "{{ '{{ raw }}' }}", '{{ raw }}'],
  ['a loop', '<li v-for="(r, n) in rows" :key="n">{{ r.name }}: {{ r.use }}</li>', 'alpha: first'],
  ['a property', "<Team :items=\"[{ name: 'Ada', role: 'Creator of it' }]\" />", '| Ada | Creator of it |'],
  ['a property by name', '<Team size="small" :members="rows" />', '| beta | second |'],
])('writes %s as readers see it', (_, template, text) => {
  expect(fillVueTemplates(setup + template, { title: 'Limits', plan: { days: 30 } })).toContain(text)
})

it.each([
  ['what runs code', '{{ compute(max) }}'],
  ['unknown names', '{{ unknown }}'],
  ['code', '`{{ max }}`'],
  ['fences', '```\n{{ max }}\n```'],
  ['what Vue leaves alone', '<span v-pre>{{ max }}</span>'],
  ['containers that Vue leaves alone', '::: v-pre\n{{ max }}\n:::'],
  ['elements that Vue leaves alone', '<div v-pre>\n{{ max }}\n</div>'],
  ['loops in code', '`<li v-for="r in rows">{{ r.name }}</li>`'],
  ['code on two lines', 'The `a\n{{ max }}` b'],
  ['loops around an element of their name', '<p v-for="r in rows"><p>{{ r.name }}</p> {{ r.use }}</p>'],
])('leaves %s as written', (_, template) => {
  expect(fillVueTemplates(setup + template, {})).toBe(setup + template)
})

it('goes on below what Vue leaves alone', () => {
  const template = 'Write `<div v-pre>`.\n\n::: v-pre\n{{ max }}\n:::\n\n{{ max }}'

  expect(fillVueTemplates(setup + template, {})).toMatch(/\{\{ max \}\}\n:::\n\n12$/)
})

it('adds a bounded amount, however much the loops of a page repeat', () => {
  const list = `<script setup>\nconst many = [${'1,'.repeat(2_000)}]\n</script>\n`
  const template = `<p v-for="n in many">${'word '.repeat(500)}</p>\n`.repeat(20)

  expect(fillVueTemplates(list + template, {}).length).toBeLessThan(400_000)
})

it('takes time that grows with the length of the page', () => {
  for (const piece of ['{{\n', '<A :b="\n', '<p v-for="a in b">\n', '{{ "\n', '<script setup>\n', '`']) {
    const started = threadCpuMs()

    fillVueTemplates(`{{ a }}${piece.repeat(100_000 / piece.length)}`, {})

    expect(threadCpuMs() - started).toBeLessThan(3_000)
  }
})
