import { describe, expect, it } from 'vitest'
import { findShownLiterals, listLookUps } from './shown-literals.ts'

const find = (source: string) => findShownLiterals('page.tsx', source).map(({ text }) => text)

describe('finds a text that no catalogue has', () => {
  it.each([
    ['<p>No keys yet</p>', 'No keys yet'],
    ['<p>{isOpen ? "open" : null}</p>', 'open'],
    ['<Button title="close" />', 'close'],
    ['<TextField description={`At most ${max} characters`} />', 'At most {} characters'],
    ['const label = `${done} of ${total} files`', '{} of {} files'],
    ['const columns = [{ title: "state" }]', 'state'],
    ['showToast("Saved the key.")', 'Saved the key.'],
    ['const names = { sync: "Failed" }', 'Failed'],
    ['function f() { return "all of them" }', 'all of them'],
    ['say("Delete {name}", { name: other ?? "Somebody" })', 'Somebody'],
    ['const all = "Sites" as const', 'Sites'],
  ])('%s', (source, text) => {
    expect(find(source)).toEqual([text])
  })
})

describe('takes for no text', () => {
  it.each([
    ['import { x } from "./Some file.ts"'],
    ['<p>{say("No keys yet")}</p>'],
    ['<p>{sayCount(count, "{count} key of it", "{count} keys of it")}</p>'],
    ['<code>docent key create</code>'],
    ['<Link to="/keys" className="Some class" data-command="Some name" />'],
    ['if (state === "Not found") stop()'],
    ['throw new Error("No element with this id.")'],
    ['const address = `${base}/sites/${slug}`'],
    ['<TextField placeholder="https://docs.example.com" label={label} />'],
    ['<h1>GitHub</h1>'],
    ['const page = lazy(load, "KeysPage")'],
    ['type Kind = "Some kind" | "Other kind"'],
    ['<p>{count} · {size} ms</p>'],
  ])('%s', (source) => {
    expect(find(source)).toEqual([])
  })
})

it('names the line of a text', () => {
  expect(findShownLiterals('a.tsx', 'const x = 1\n\nconst y = <p>Two words</p>')).toEqual([
    { place: 'a.tsx:3', text: 'Two words' },
  ])
})

it('lists texts by the name under which the catalogues have them', () => {
  expect(
    listLookUps('a.ts', 'say("One"); sayCount(2, "a file", "{count} files"); sayParts("Or {two}", { two })'),
  ).toEqual(['One', '{count} files', 'Or {two}'])
})
