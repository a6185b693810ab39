import { html } from 'hono/html'
import { parsePatch, type PatchHunk, type PatchLine } from '../../contract/parse-patch.ts'
import { splitVisibleText } from '../../contract/visible-text.ts'
import type { FileDiff } from '../../git/diff-commits.ts'
import type { Markup } from './page-frame.ts'

/** With more files, or in files with more lines, the reader opens what he wants to see. */
const openFilesMax = 30
const openLinesMax = 600

/** Lines of a page. Each takes a hundred times the bytes of an empty one, and browsers lay out few more. */
const linesMax = 20_000

/** The files of a change and their lines. Everything of a file is text here: nothing of it becomes markup. */
export function renderFiles(files: readonly FileDiff[]) {
  let left = linesMax
  return files.map((file, index) => {
    const lines = file.patch?.split('\n').length ?? 0
    const isShown = lines <= left
    if (isShown) left -= lines
    return renderFile(isShown ? file : { ...file, patch: null }, index, files.length <= openFilesMax)
  })
}

/** Where a file is on the page. */
export function fileAnchor(index: number): string {
  return `file-${index + 1}`
}

function renderFile(file: FileDiff, index: number, mayOpen: boolean) {
  const isOpen = mayOpen && file.additions + file.deletions <= openLinesMax
  const summary = html`<summary><span class="path">${renderPath(file)}</span> ${renderCounts(file)}</summary>`
  const content = file.patch === null ? html`<p class="note">${explainMissingPatch(file)}</p>` : renderPatch(file.patch)
  return isOpen
    ? html`<details class="file" id="${fileAnchor(index)}" open>${summary}${content}</details>`
    : html`<details class="file" id="${fileAnchor(index)}">${summary}${content}</details>`
}

const becomesNames = { link: 'symbolic link', submodule: 'submodule', executable: 'executable' } as const

function renderPath({ path, previousPath, kind, becomes }: FileDiff) {
  const renamed = previousPath === null ? '' : html`${showText(previousPath)} → `
  return html`<span class="kind ${kind}">${kind}</span>
    ${renamed}${showText(path)}${becomes === undefined ? '' : html` <strong>${becomesNames[becomes]}</strong>`}`
}

export function renderCounts({ additions, deletions }: Pick<FileDiff, 'additions' | 'deletions'>) {
  return html`<span class="counts"
    ><span class="additions">+${additions}</span> <span class="deletions">−${deletions}</span></span
  >`
}

function explainMissingPatch({ isBinary, additions, deletions }: FileDiff): string {
  if (isBinary) return 'This file is not text, so that its change is not shown.'
  if (additions + deletions === 0) return 'The text of this file is unchanged.'
  return 'The change is too large to be shown here. Fetch the branch with git to read it.'
}

function renderPatch(patch: string) {
  return html`<table class="diff">
    <tbody>
      ${parsePatch(patch).map(renderHunk)}
    </tbody>
  </table>`
}

function renderHunk({ place, lines }: PatchHunk) {
  return html`<tr class="hunk">
      <td colspan="3">${place === '' ? '…' : showText(place)}</td>
    </tr>
    ${lines.map(renderLine)}`
}

const signs: Readonly<Record<PatchLine['kind'], string>> = { added: '+', removed: '−', context: '', note: '' }

function renderLine({ kind, before, after, text, change }: PatchLine) {
  return html`<tr class="${kind}">
    <td class="number">${before ?? ''}</td>
    <td class="number">${after ?? ''}</td>
    <td class="line" data-sign="${signs[kind]}">${renderText(text, change, kind)}</td>
  </tr>`
}

function renderText(text: string, change: PatchLine['change'], kind: PatchLine['kind']): Markup {
  if (change === null || change[0] === change[1]) return showText(text)
  const [before, changed, after] = [text.slice(0, change[0]), text.slice(...change), text.slice(change[1])]
  const marked = showText(changed)
  return html`${showText(before)}${kind === 'removed' ? html`<del>${marked}</del>` : html`<ins>${marked}</ins>`}${showText(after)}`
}

/** Text with what cannot be seen made visible. */
export function showText(text: string): Markup {
  return splitVisibleText(text).map(({ text, isHidden }) =>
    isHidden ? html`<span class="hidden-character">${text}</span>` : text,
  )
}
