import { useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Card } from '../../../ui/card.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { readBaseUrl } from '../../api/base-url.ts'
import { writeAssistantSamples } from './code-samples.ts'
import classes from './key-samples.module.css'
import { SampleTabs } from './new-key.tsx'
import { say, sayParts } from '../../../words/say.ts'

/** Placeholder for the key, which is unknown once its dialog is closed. */
const placeholder = 'YOUR_ASSISTANT_KEY'

/** Samples for each site. The dialog of a new key shows them with the key filled in. */
export function KeySamples({ sites }: { sites: readonly SiteResource[] }) {
  const [siteId, setSiteId] = useState(sites[0]?.id ?? '')
  const site = sites.find(({ id }) => id === siteId) ?? sites[0]
  if (site === undefined) return null
  const samples = writeAssistantSamples({ baseUrl: readBaseUrl(), domain: site.slug, secret: placeholder })
  return (
    <Card aria-labelledby="use-a-key">
      <div className={classes.head}>
        <div className={classes.text}>
          <h2 id="use-a-key" className={classes.title}>
            {say('Use an assistant key')}
          </h2>
          <p className={classes.muted}>
            {sayParts('Replace {placeholder} with your key. A newly created key comes with these samples filled in.', {
              placeholder: <code>{placeholder}</code>,
            })}
          </p>
        </div>
        <div className={classes.site}>
          <SelectField
            label={say('Site')}
            value={site.id}
            options={sites.map(({ id, name }) => ({ value: id, label: name }))}
            onValueChange={setSiteId}
          />
        </div>
      </div>
      <SampleTabs samples={samples} />
    </Card>
  )
}
