import { useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Card } from '../../../ui/card.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { readBaseUrl } from '../../api/base-url.ts'
import { writeAssistantSamples } from './code-samples.ts'
import classes from './key-samples.module.css'
import { SampleTabs } from './new-key.tsx'

/** Stands for the key, which is not known any more once its dialog was closed. */
const placeholder = 'YOUR_ASSISTANT_KEY'

/** Ready-made code for each site. A new key brings its own, with itself filled in. */
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
            Use an assistant key
          </h2>
          <p className={classes.muted}>
            Put your key in the place of <code>{placeholder}</code>. A key that you create comes with this code, filled
            in.
          </p>
        </div>
        <div className={classes.site}>
          <SelectField
            label="Site"
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
