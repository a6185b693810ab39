import { useState } from 'react'
import type { FileDiffResource } from '../../../../src/contract/agent-job-diff.ts'
import { parsePatch, type PatchHunk, type PatchLine } from '../../../../src/contract/parse-patch.ts'
import { Button } from '../../../ui/button.tsx'
import classes from '../../../ui/diff.module.css'
import { joinClasses } from '../../../ui/join-classes.ts'
import placement from './diff-view.module.css'
import { VisibleText } from '../../shell/visible-text.tsx'
import { say, sayCount } from '../../../words/say.ts'

/** With more files, or for files with more lines, sections start collapsed. */
const openFilesMax = 20
const openLinesMax = 400

/** Lines rendered per file until the user asks for all. */
export const drawnLinesMax = 2_000

/** File diffs of a change. All content is rendered as text, never as markup. */
export function DiffView({ files }: { files: readonly FileDiffResource[] }) {
  return (
    <div className={placement.files}>
      {files.map((file) => (
        <FileView
          key={file.path}
          file={file}
          isOpenAtFirst={files.length <= openFilesMax && file.additions + file.deletions <= openLinesMax}
        />
      ))}
    </div>
  )
}

/** Renders the content only while open. */
function FileView({ file, isOpenAtFirst }: { file: FileDiffResource; isOpenAtFirst: boolean }) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  return (
    <details className={classes.file} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span className={joinClasses(classes.kind, classes[file.kind])}>{file.kind}</span>{' '}
        {file.previousPath === null ? null : (
          <>
            <VisibleText text={file.previousPath} /> →{' '}
          </>
        )}
        <VisibleText text={file.path} /> {file.becomes === undefined ? null : <strong>{file.becomes}</strong>}{' '}
        <ChangeCounts {...file} />
      </summary>
      {isOpen ? <FileContent file={file} /> : null}
    </details>
  )
}

/** `+3 −1`. */
export function ChangeCounts({ additions, deletions }: Pick<FileDiffResource, 'additions' | 'deletions'>) {
  return (
    <span className={classes.counts}>
      <span className={classes.additions}>+{additions}</span> <span className={classes.deletions}>−{deletions}</span>
    </span>
  )
}

function FileContent({ file }: { file: FileDiffResource }) {
  const [isWhole, setWhole] = useState(false)
  if (file.patch === null) return <p className={classes.note}>{explainMissingPatch(file)}</p>
  const hunks = parsePatch(file.patch)
  const total = hunks.reduce((sum, { lines }) => sum + lines.length, 0)
  const shown = isWhole ? hunks : takeLines(hunks, drawnLinesMax)
  return (
    <>
      {/* Long lines wrap, so that nothing scrolls sideways. */}
      <table className={classes.diff}>
        <tbody>
          {shown.map((hunk, index) => (
            <HunkRows key={index} hunk={hunk} />
          ))}
        </tbody>
      </table>
      {isWhole || total <= drawnLinesMax ? null : (
        <p className={classes.note}>
          <Button size="small" onClick={() => setWhole(true)}>
            {sayCount(total, 'Show all {count} line', 'Show all {count} lines')}
          </Button>
        </p>
      )}
    </>
  )
}

export function takeLines(hunks: readonly PatchHunk[], max: number): PatchHunk[] {
  let left = max
  return hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, left)
    left -= lines.length
    return lines.length === 0 ? [] : [{ ...hunk, lines }]
  })
}

export function explainMissingPatch({ isBinary, additions, deletions }: FileDiffResource): string {
  if (isBinary) return say('This is a binary file; its changes are not shown.')
  if (additions + deletions === 0) return say('The content of this file is unchanged.')
  return say('The change is too large to show here. Fetch the branch with git to view it.')
}

function HunkRows({ hunk }: { hunk: PatchHunk }) {
  return (
    <>
      <tr className={classes.hunk}>
        <td colSpan={3}>{hunk.place === '' ? '…' : <VisibleText text={hunk.place} />}</td>
      </tr>
      {hunk.lines.map((line, index) => (
        <LineRow key={index} line={line} />
      ))}
    </>
  )
}

export const signs: Readonly<Record<PatchLine['kind'], string>> = { added: '+', removed: '−', context: '', note: '' }

function LineRow({ line }: { line: PatchLine }) {
  return (
    <tr className={classes[line.kind]}>
      <td className={classes.number}>{line.before}</td>
      <td className={classes.number}>{line.after}</td>
      <td className={classes.line} data-sign={signs[line.kind]}>
        <LineText line={line} />
      </td>
    </tr>
  )
}

/** The text of a line, with the words that differ marked. */
export function LineText({ line: { text, marks, kind } }: { line: PatchLine }) {
  if (marks === null) return <VisibleText text={text} />
  const Mark = kind === 'removed' ? 'del' : 'ins'
  const ends = [0, ...marks.flat(), text.length]
  return ends.slice(1).map((end, index) => {
    const part = <VisibleText text={text.slice(ends[index], end)} />
    return index % 2 === 0 ? <span key={index}>{part}</span> : <Mark key={index}>{part}</Mark>
  })
}
