import { MessageSquarePlus } from 'lucide-react'
import { useState } from 'react'
import { parsePatch } from '../../../../../src/contract/parse-patch.ts'
import type { PullRequestFile } from '../../../../../src/contract/pull-request-view.ts'
import { Button } from '../../../../ui/button.tsx'
import diffClasses from '../../../../ui/diff.module.css'
import { joinClasses } from '../../../../ui/join-classes.ts'
import { markFileViewed } from '../../../api/pull-requests.ts'
import { useChange } from '../../../forms/use-change.ts'
import { VisibleText } from '../../../shell/visible-text.tsx'
import { ChangeCounts } from '../../job/diff-view.tsx'
import { useReview } from '../review-context.ts'
import { fileCardId } from './file-card-id.ts'
import { FileDiff } from './file-diff.tsx'
import classes from './files.module.css'
import { ImageComparison, isImage } from './image-comparison.tsx'
import { PageComparison } from './page-comparison.tsx'
import { say } from '../../../../words/say.ts'

export interface FileCardProps {
  file: PullRequestFile
  /** As readers see it, instead of its source. */
  showsPage: boolean
  isOneOfMany: boolean
}

/** Longer changes start folded. */
const openLinesMax = 400

/** A changed file, which folds. Its content is drawn only while it is open. */
export function FileCard({ file, showsPage, isOneOfMany }: FileCardProps) {
  const isShort = !isOneOfMany && file.additions + file.deletions <= openLinesMax
  const [isOpen, setOpen] = useState(isShort && !file.isViewed)
  return (
    <div id={fileCardId(file.path)} data-card className={classes.card}>
      <details className={diffClasses.file} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span className={joinClasses(diffClasses.kind, diffClasses[file.kind])}>{file.kind}</span>{' '}
          {file.previousPath === null ? null : (
            <>
              <VisibleText text={file.previousPath} /> →{' '}
            </>
          )}
          <VisibleText text={file.path} /> {file.becomes === undefined ? null : <strong>{file.becomes}</strong>}{' '}
          <ChangeCounts {...file} />
        </summary>
        {isOpen ? <FileContent file={file} showsPage={showsPage} /> : null}
      </details>
      <FileTools
        file={file}
        hasLines={file.patch !== null && !showsPage}
        onViewed={() => setOpen(false)}
        onComment={() => setOpen(true)}
      />
    </div>
  )
}

function FileContent({ file, showsPage }: Pick<FileCardProps, 'file' | 'showsPage'>) {
  if (isImage(file.path)) return <ImageComparison file={file} />
  return showsPage ? <PageComparison file={file} /> : <FileDiff file={file} />
}

interface FileToolsProps {
  file: PullRequestFile
  /** Without lines, a comment on one has no place to be written. */
  hasLines: boolean
  onViewed(): void
  onComment(): void
}

/** Beside the summary, so that they work while the card is folded. */
function FileTools({ file, hasLines, onViewed, onComment }: FileToolsProps) {
  const { editor, setDraft } = useReview()
  const { path, blob, isViewed } = file
  /** Shown until the service has answered. */
  const [chosen, setChosen] = useState<boolean | null>(null)
  const mark = useChange({
    send: (viewed: boolean) => markFileViewed(editor?.id ?? '', { path, blob, viewed }),
    onDone: (_, viewed) => viewed && onViewed(),
    stale: ['viewPullRequest'],
    hasFailureToast: true,
  })
  if (editor === null) return null
  const comment = () => {
    const place = findFirstChange(file)
    if (place !== null)
      setDraft({ path: place.side === 'before' ? (file.previousPath ?? path) : path, ...place, body: '' })
    onComment()
  }
  return (
    <div className={classes.cardTools}>
      {hasLines ? (
        <Button
          size="small"
          look="quiet"
          className={classes.comment}
          data-key="c"
          aria-label={say('Comment on a line')}
          onClick={comment}
        >
          <MessageSquarePlus size={16} aria-hidden />
          <span>{say('Comment on a line')}</span>
        </Button>
      ) : null}
      <label className={classes.viewed}>
        <input
          type="checkbox"
          data-key="v"
          checked={chosen ?? isViewed}
          onChange={({ currentTarget: { checked } }) => {
            setChosen(checked)
            mark.mutate(checked, { onSettled: () => setChosen(null) })
          }}
        />
        {say('Viewed')}
      </label>
    </div>
  )
}

/** The line that a comment starts at unless another is chosen. */
function findFirstChange({ patch }: PullRequestFile) {
  const lines = parsePatch(patch ?? '').flatMap((hunk) => hunk.lines)
  const line = lines.find(({ kind }) => kind === 'added') ?? lines.find(({ kind }) => kind === 'removed')
  if (line === undefined) return null
  const number = line.after ?? line.before ?? 1
  return { side: line.after === null ? ('before' as const) : ('after' as const), firstLine: number, lastLine: number }
}
