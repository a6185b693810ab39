import { Check } from 'lucide-react'
import type { PullRequestFile } from '../../../../../src/contract/pull-request-view.ts'
import { VisibleText } from '../../../shell/visible-text.tsx'
import classes from './files.module.css'
import { fileCardId } from './file-card-id.ts'
import { say } from '../../../../words/say.ts'

const kinds: Readonly<Record<PullRequestFile['kind'], { sign: string; label: string }>> = {
  added: { sign: '+', label: say('added') },
  deleted: { sign: '−', label: say('removed') },
  renamed: { sign: '→', label: say('moved') },
  modified: { sign: '•', label: say('changed') },
}

/** Changed files by folder; each leads to its card. */
export function FileTree({ files }: { files: readonly PullRequestFile[] }) {
  const folders = Map.groupBy(files, ({ path }) => path.slice(0, path.lastIndexOf('/') + 1))
  // On narrow pages it would push the files away.
  const isWide = globalThis.matchMedia?.('(min-width: 64rem)').matches
  return (
    <details className={classes.tree} open={isWide}>
      <summary>{say('Changed files')}</summary>
      <ul aria-label={say('Changed files')}>
        {[...folders].map(([folder, own]) => (
          <li key={folder}>
            {folder === '' ? null : (
              <p className={classes.folder}>
                <VisibleText text={folder.slice(0, -1)} />
              </p>
            )}
            <ul>
              {own.map((file) => (
                <TreeEntry key={file.path} file={file} name={file.path.slice(folder.length)} />
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </details>
  )
}

function TreeEntry({ file: { path, kind, isViewed }, name }: { file: PullRequestFile; name: string }) {
  const { sign, label } = kinds[kind]
  return (
    <li>
      <a href={`#${fileCardId(path)}`} className={classes.entry}>
        <span className={classes[kind]} role="img" aria-label={label} title={label}>
          {sign}
        </span>
        <span>
          <VisibleText text={name} />
        </span>
        {isViewed ? <Check size={14} aria-label={say('viewed')} /> : null}
      </a>
    </li>
  )
}
