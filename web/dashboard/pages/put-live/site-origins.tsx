import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Clock } from 'lucide-react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { siteOperations } from '../../../../src/contract/operations/sites.ts'
import { widgetOperations } from '../../../../src/contract/operations/widget.ts'
import { Card } from '../../../ui/card.tsx'
import { YesNoField } from '../../../ui/choice-field.tsx'
import { Section } from '../../../ui/section.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { isOwnAddress } from '../../api/own-address.ts'
import { call, queryOf } from '../../api/call.ts'
import { useMay } from '../../api/session.ts'
import { FormView } from '../../forms/form-view.tsx'
import { useForm } from '../../forms/use-form.ts'
import { Loaded } from '../../shell/loaded.tsx'
import classes from './put-live.module.css'
import { say, sayParts } from '../../../words/say.ts'

/** Until every origin has been asked on: the owner waits for the first question. */
const pollMs = 3_000

export const originsQuery = (site: SiteResource) => ({
  ...queryOf(widgetOperations.listWidgetOrigins, { params: { id: site.id } }),
  refetchInterval: ({ state }: { state: { data?: { items: { askedAt: string | null }[] } | undefined } }) =>
    state.data?.items.some(({ askedAt }) => askedAt === null) === true ? pollMs : (false as const),
})

/** Where readers find the site, and whether the widget has been asked there. */
export function SiteOrigins({ site }: { site: SiteResource }) {
  const origins = useQuery(originsQuery(site))
  return (
    <Section
      title={say('Your website')}
      description={say("Only pages at these addresses get your site's key, so that nobody else uses up its limits.")}
    >
      <Card>
        <Loaded query={origins}>
          {({ items }) => (
            <>
              {items.length === 0 ? null : (
                <ul className={classes.origins} aria-label={say('Addresses')} aria-live="polite">
                  {items.map((item) => (
                    <Origin key={item.origin} {...item} />
                  ))}
                </ul>
              )}
              <AddOrigin site={site} isFirst={items.length === 0} />
            </>
          )}
        </Loaded>
      </Card>
    </Section>
  )
}

function Origin({ origin, askedAt }: { origin: string; askedAt: string | null }) {
  if (askedAt === null) {
    return (
      <li>
        <Clock size={17} aria-hidden /> <code>{origin}</code>
        <span className={classes.state}>{say('Waiting for its first question')}</span>
      </li>
    )
  }
  return (
    <li className={classes.live}>
      <CircleCheck size={17} aria-hidden /> <code>{origin}</code>
      <span className={classes.state}>
        {sayParts('Live: asked {askedAt}', { askedAt: <TimeText time={askedAt} /> })}
      </span>
    </li>
  )
}

interface OriginForm {
  origin: string
  /** Null until the owner has chosen. */
  leadsLinks: boolean | null
}

function AddOrigin({ site, isFirst }: { site: SiteResource; isFirst: boolean }) {
  const mayAdd = useMay('owner')
  const isServedHere = isOwnAddress(`${site.url}/`)
  // Readers cannot open the address that somebody develops on.
  const leadsLinks = ({ origin, leadsLinks }: OriginForm) =>
    isServedHere && (leadsLinks ?? !/^https?:\/\/(?:localhost|127\.|\[)/.test(readAddress(origin)?.href ?? ''))
  const form = useForm<OriginForm, void>({
    initial: { origin: isFirst && !isServedHere ? site.url : '', leadsLinks: null },
    send: (values) => addOrigin(site, values.origin, leadsLinks(values)),
    next: () => ({ origin: '', leadsLinks: null }),
    done: say('Address added.'),
    stale: ['listWidgetOrigins', 'listKeys', 'listSites'],
  })
  if (!mayAdd)
    return isFirst ? <p className={classes.muted}>{say('Ask an owner to add the address of your website.')}</p> : null
  return (
    <FormView form={form} action={say('Add address')} isDisabled={form.values.origin.trim() === ''}>
      <TextField
        label={isFirst ? say('Address of your website') : say('Another address')}
        inputMode="url"
        placeholder="https://docs.example.com"
        description={say('Include the one you develop on, such as http://localhost:3000.')}
        {...form.field('origin', say('The address'))}
      />
      {isServedHere && form.values.origin.trim() !== '' ? (
        <YesNoField
          legend={say('Links')}
          label={say('Links in answers lead there')}
          description={say('Until then, they lead to the pages that Docent serves.')}
          value={leadsLinks(form.values)}
          onValueChange={(leadsLinks) => form.set({ leadsLinks })}
        />
      ) : null}
    </FormView>
  )
}

async function addOrigin({ id }: SiteResource, text: string, leadsLinks: boolean): Promise<void> {
  const params = { id }
  await call(widgetOperations.addWidgetOrigin, { params, body: { origin: readOrigin(text) } })
  const address = leadsLinks ? readAddress(text) : null
  if (address === null) return
  const url = address.origin + address.pathname.replace(/\/+$/, '')
  await call(siteOperations.updateSite, { params, body: { url } })
}

/** Null for wildcards, which are not addresses. */
function readAddress(text: string): URL | null {
  const given = text.trim()
  if (given.includes('*')) return null
  return URL.parse(/^https?:\/\//i.test(given) ? given : `https://${given}`)
}

/** From whatever was pasted: any address of a page, with or without a scheme. */
export function readOrigin(text: string): string {
  return readAddress(text)?.origin ?? text.trim()
}
