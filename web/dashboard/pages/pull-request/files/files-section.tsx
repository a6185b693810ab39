import { useRef, useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Section } from '../../../../ui/section.tsx'
import { useReview } from '../review-context.ts'
import pageClasses from '../pull-request-page.module.css'
import { FileCard } from './file-card.tsx'
import { FileTree } from './file-tree.tsx'
import classes from './files.module.css'
import { SuggestionBatch } from './suggestion-batch.tsx'
import { useFileKeys } from './use-file-keys.ts'
import { say, sayCount, sayParts } from '../../../../words/say.ts'

/** Changed files, as source or as pages. */
export function FilesSection() {
  const { pullRequest, editor, ignoresWhitespace, setIgnoresWhitespace } = useReview()
  const { files, filesTotal } = pullRequest
  const [showsPages, setShowsPages] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  useFileKeys(list)
  const more = filesTotal - files.length
  const viewed = files.filter(({ isViewed }) => isViewed).length
  return (
    <Section
      title={say('Files ({filesTotal})', { filesTotal })}
      description={
        editor === null
          ? undefined
          : sayCount(files.length, '{viewed} of {count} file viewed', '{viewed} of {count} files viewed', { viewed })
      }
      action={
        <div className={classes.tools}>
          <Toggle isOn={ignoresWhitespace} onChange={setIgnoresWhitespace}>
            {say('Hide white space')}
          </Toggle>
          <div role="group" aria-label={say('Show pages as')} className={classes.switch}>
            <Toggle isOn={!showsPages} onChange={() => setShowsPages(false)}>
              {say('Source')}
            </Toggle>
            <Toggle isOn={showsPages} onChange={() => setShowsPages(true)}>
              {say('Page')}
            </Toggle>
          </div>
        </div>
      }
    >
      <div className={classes.layout}>
        {files.length > 1 ? <FileTree files={files} /> : null}
        <div ref={list} className={classes.files}>
          {files.map((file) => (
            <FileCard
              key={file.path}
              file={file}
              showsPage={showsPages && file.isPage}
              isOneOfMany={files.length > 20}
            />
          ))}
          {files.length === 0 ? <p className={pageClasses.muted}>{say('No file differs.')}</p> : null}
        </div>
      </div>
      {more === 0 ? null : (
        <p className={pageClasses.muted}>
          {sayCount(
            more,
            '{count} more file not shown. Fetch the branch with git to view all changes.',
            '{count} more files not shown. Fetch the branch with git to view all changes.',
          )}
        </p>
      )}
      <p className={classes.keys}>
        {editor === null
          ? sayParts('Shortcuts: {j} next file, {k} previous file.', keys)
          : sayParts('Shortcuts: {j} next file, {k} previous file, {c} comment, {v} viewed.', keys)}
      </p>
      <SuggestionBatch />
    </Section>
  )
}

const keys = { j: <kbd>j</kbd>, k: <kbd>k</kbd>, c: <kbd>c</kbd>, v: <kbd>v</kbd> }

function Toggle({ isOn, onChange, children }: { isOn: boolean; onChange(isOn: boolean): void; children: string }) {
  return (
    <Button size="small" className={classes.toggle} aria-pressed={isOn} onClick={() => onChange(!isOn)}>
      {children}
    </Button>
  )
}
