import { useMemo, useState } from 'react'
import { parsePatch, type PatchLine } from '../../../../../src/contract/parse-patch.ts'
import type { DiffSide, ThreadResource } from '../../../../../src/contract/pull-request-review.ts'
import type { PullRequestFile } from '../../../../../src/contract/pull-request-view.ts'
import { Button } from '../../../../ui/button.tsx'
import classes from '../../../../ui/diff.module.css'
import { VisibleText } from '../../../shell/visible-text.tsx'
import { drawnLinesMax, explainMissingPatch, LineText, signs, takeLines } from '../../job/diff-view.tsx'
import { useReview } from '../review-context.ts'
import fileClasses from './files.module.css'
import { LineComment } from './line-comment.tsx'
import { ReviewThread } from './review-thread.tsx'
import { say, sayCount } from '../../../../words/say.ts'

/** The source of a change, with the threads below their lines. */
export function FileDiff({ file }: { file: PullRequestFile }) {
  const [isWhole, setWhole] = useState(false)
  const hunks = useMemo(() => parsePatch(file.patch ?? ''), [file.patch])
  const threads = useThreads(file)
  const total = hunks.reduce((sum, { lines }) => sum + lines.length, 0)
  const shown = isWhole ? hunks : takeLines(hunks, drawnLinesMax)
  const places = new Set(shown.flatMap(({ lines }) => lines.flatMap(placesOf)))
  const [placed, others] = [new Map<string, ThreadResource[]>(), [] as ThreadResource[]]
  for (const thread of threads) {
    const place = placeKey(thread.side, thread.lastLine)
    if (thread.isOutdated || !places.has(place)) others.push(thread)
    else placed.set(place, [...(placed.get(place) ?? []), thread])
  }
  return (
    <>
      {file.patch === null ? <p className={classes.note}>{explainMissingPatch(file)}</p> : null}
      {/* Long lines wrap, so that nothing scrolls sideways. */}
      <table className={classes.diff}>
        <tbody>
          {shown.map((hunk, index) => [
            <tr key={index} className={classes.hunk}>
              <td colSpan={3}>{hunk.place === '' ? '…' : <VisibleText text={hunk.place} />}</td>
            </tr>,
            ...hunk.lines.map((line, place) => (
              <LineRows key={`${index} ${place}`} file={file} line={line} threads={threadsAt(placed, line)} />
            )),
          ])}
        </tbody>
      </table>
      {isWhole || total <= drawnLinesMax ? null : (
        <p className={classes.note}>
          <Button size="small" onClick={() => setWhole(true)}>
            {sayCount(total, 'Show all {count} line', 'Show all {count} lines')}
          </Button>
        </p>
      )}
      {others.length === 0 ? null : (
        <div className={fileClasses.others}>
          {others.map((thread) => (
            <ReviewThread key={thread.id} thread={thread} showsPlace />
          ))}
        </div>
      )}
    </>
  )
}

function useThreads({ path, previousPath }: PullRequestFile): ThreadResource[] {
  const { threads } = useReview().pullRequest
  return threads.filter((thread) => thread.path === path || thread.path === previousPath)
}

/** Threads on removed lines are shown below those; all others are on the newer side. */
function placesOf({ before, after }: PatchLine): string[] {
  return [
    ...(before === null ? [] : [placeKey('before', before)]),
    ...(after === null ? [] : [placeKey('after', after)]),
  ]
}

function placeKey(side: DiffSide, line: number): string {
  return `${side} ${line}`
}

function threadsAt(placed: ReadonlyMap<string, ThreadResource[]>, line: PatchLine): ThreadResource[] {
  return placesOf(line).flatMap((place) => placed.get(place) ?? [])
}

interface LineRowsProps {
  file: PullRequestFile
  line: PatchLine
  threads: readonly ThreadResource[]
}

function LineRows({ file, line, threads }: LineRowsProps) {
  const { draft } = useReview()
  const side: DiffSide = line.after === null ? 'before' : 'after'
  const number = line.after ?? line.before
  const path = side === 'before' ? (file.previousPath ?? file.path) : file.path
  const isDrafted = draft?.path === path && draft.side === side && draft.lastLine === number
  return (
    <>
      <tr className={classes[line.kind]}>
        <td className={classes.number}>{line.before}</td>
        <td className={classes.number}>
          {number === null ? null : <LineNumber path={path} side={side} line={number} shown={line.after} />}
        </td>
        <td className={classes.line} data-sign={signs[line.kind]}>
          <LineText line={line} />
        </td>
      </tr>
      {threads.length === 0 && !isDrafted ? null : (
        <tr className={fileClasses.discussion}>
          <td colSpan={3}>
            {threads.map((thread) => (
              <ReviewThread key={thread.id} thread={thread} />
            ))}
            {isDrafted ? <LineComment draft={draft} patch={file.patch ?? ''} /> : null}
          </td>
        </tr>
      )}
    </>
  )
}

interface LineNumberProps {
  path: string
  side: DiffSide
  line: number
  /** Null on removed lines, which have no number after the change. */
  shown: number | null
}

/** Pressed, comments on the line; with Shift, on the lines from the one chosen before. */
function LineNumber({ path, side, line, shown }: LineNumberProps) {
  const { editor, draft, setDraft } = useReview()
  if (editor === null) return shown
  const choose = (extends_: boolean) => {
    const isSame = extends_ && draft?.path === path && draft.side === side
    const firstLine = isSame ? Math.min(draft.firstLine, line) : line
    const lastLine = isSame ? Math.max(draft.lastLine, line) : line
    setDraft({ path, side, firstLine, lastLine, body: draft?.body ?? '' })
  }
  return (
    <button
      type="button"
      // The key c and the fields of the form do the same.
      tabIndex={-1}
      className={fileClasses.lineNumber}
      aria-label={say('Comment on line {line}', { line })}
      onClick={({ shiftKey }) => choose(shiftKey)}
    >
      <span>{shown}</span>
    </button>
  )
}
