import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Button } from '../../../ui/button.tsx'
import { CodeSample } from '../../../ui/code-sample.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { DialogActions } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { readBaseUrl } from '../../api/base-url.ts'
import { writeAdminSample, writeAssistantSamples } from './code-samples.ts'
import classes from './create-key-dialog.module.css'
import type { KeyCreated } from './create-key-dialog.tsx'
import { say, sayCount } from '../../../words/say.ts'

export interface NewKeyProps {
  created: KeyCreated
  sites: readonly SiteResource[]
  onDone(): void
}

/** The new secret, shown once, with samples that contain it. */
export function NewKey({ created, sites, onDone }: NewKeyProps) {
  const { secret, siteId, kind, session, normalPerMinute } = created
  const baseUrl = readBaseUrl()
  const site = sites.find(({ id }) => id === siteId)
  return (
    <div className={classes.newKey}>
      <Notice tone="warning">{say('Copy the key now. It is shown only once; Docent stores only a hash.')}</Notice>
      <div className={classes.secret}>
        <code>{secret}</code>
        <CopyButton text={secret} what={say('key')} hasText look="primary" />
      </div>
      {session === 'off' ? null : (
        <Notice>
          {session === 'always'
            ? say('Requests with this key require a session.')
            : sayCount(
                normalPerMinute,
                'A network that makes more than {count} request per minute needs a session.',
                'A network that makes more than {count} requests per minute needs a session.',
              )}{' '}
          {say('The guide “Protect a public key” shows how to get one; the samples below do not.')}
        </Notice>
      )}
      {kind === 'assistant' && site !== undefined ? (
        <SampleTabs samples={writeAssistantSamples({ baseUrl, domain: site.slug, secret })} />
      ) : null}
      {kind === 'admin' ? (
        <CodeSample {...writeAdminSample({ baseUrl, secret, projectId: sites[0]?.projectId ?? 'default' })} />
      ) : null}
      <DialogActions>
        <Button onClick={onDone}>{say('Done')}</Button>
      </DialogActions>
    </div>
  )
}

export function SampleTabs({ samples }: { samples: ReturnType<typeof writeAssistantSamples> }) {
  const [first, ...others] = samples
  const toTab = ({ id, title, what, code }: typeof first) => ({
    id,
    title,
    content: <CodeSample title={title} what={what} code={code} />,
  })
  return <Tabs label={say('Code samples')} tabs={[toTab(first), ...others.map(toTab)]} />
}
