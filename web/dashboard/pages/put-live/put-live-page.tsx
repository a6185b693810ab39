import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { widgetOperations } from '../../../../src/contract/operations/widget.ts'
import type { WidgetSettings } from '../../../../src/contract/widget-settings.ts'
import { Button, buttonLook } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FormActions } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Section } from '../../../ui/section.tsx'
import { Steps } from '../../../ui/steps.tsx'
import { call, queryOf } from '../../api/call.ts'
import { useMay, useSession } from '../../api/session.ts'
import { FormView } from '../../forms/form-view.tsx'
import { useForm } from '../../forms/use-form.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { siteWord } from '../../shell/places.ts'
import { SiteScope } from '../../shell/site-scope.tsx'
import { UnsavedGuard } from '../../shell/unsaved-guard.tsx'
import { setupSteps } from '../new-site/setup-steps.ts'
import { LiveCheck } from './live-check.tsx'
import classes from './put-live.module.css'
import { ScriptLine } from './script-line.tsx'
import { SiteOrigins } from './site-origins.tsx'
import { WidgetFields } from './widget-fields.tsx'
import { readWidgetChange, readWidgetForm, toWidgetForm } from './widget-form.ts'
import { WidgetPreview } from './widget-preview.tsx'
import { say } from '../../../words/say.ts'

const route = getRouteApi('/signed-in/$organization/$domain/live')

/** How the assistant gets onto the owner's website. Also the last step of adding a site. */
export function PutLivePage() {
  const { setup } = route.useSearch()
  return (
    <>
      <PageHeader title={say('Put it live')}>
        {say('With one line on your website, your readers can search and ask there.')}
      </PageHeader>
      {setup === undefined ? null : <Steps label={say('Steps')} titles={setupSteps} current={setupSteps.length - 1} />}
      <SiteScope>{(site) => <PutLive key={site.id} site={site} isSetup={setup !== undefined} />}</SiteScope>
    </>
  )
}

function PutLive({ site, isSetup }: { site: SiteResource; isSetup: boolean }) {
  const { organization } = useSession()
  const settings = useQuery(queryOf(widgetOperations.getWidgetSettings, { params: { id: site.id } }))
  return (
    <>
      <Loaded query={settings}>{(settings) => <Look site={site} settings={settings} />}</Loaded>
      <SiteOrigins site={site} />
      <ScriptLine site={site} />
      <LiveCheck site={site} />
      {isSetup ? (
        <FormActions>
          <Link
            className={buttonLook()}
            to="/$organization/$domain"
            params={{ organization: organization.id, domain: siteWord(site) }}
          >
            {say('Finish')}
          </Link>
        </FormActions>
      ) : null}
    </>
  )
}

function Look({ site, settings }: { site: SiteResource; settings: WidgetSettings }) {
  const mayEdit = useMay('editor')
  const form = useForm({
    initial: () => toWidgetForm(settings),
    send: (values, base) =>
      call(widgetOperations.updateWidgetSettings, { params: { id: site.id }, body: readWidgetChange(values, base) }),
    next: toWidgetForm,
    done: say('Saved. Your website shows it within five minutes.'),
    undo: (_, values, base) => () =>
      call(widgetOperations.updateWidgetSettings, { params: { id: site.id }, body: readWidgetChange(base, values) }),
    stale: ['getWidgetSettings'],
  })
  const brandColor = useSession().brand.color
  const shown = useMemo(() => {
    const settings = readWidgetForm(form.values)
    return { ...settings, accentLight: settings.accentLight ?? brandColor }
  }, [form.values, brandColor])
  return (
    <Section title={say('Look')}>
      <div className={classes.look}>
        <Card aria-label={say('Settings of the widget')}>
          {mayEdit ? null : <Notice>{say('Only editors and owners can change this.')}</Notice>}
          <FormView
            form={form}
            action={mayEdit ? say('Save') : null}
            isDisabled={!form.isDirty}
            actions={
              <Button disabled={!form.isDirty} onClick={() => form.reset()}>
                {say('Discard changes')}
              </Button>
            }
          >
            <WidgetFields form={form} />
          </FormView>
        </Card>
        <WidgetPreview site={site} settings={shown} />
      </div>
      <UnsavedGuard isDirty={form.isDirty} />
    </Section>
  )
}
