import { Link, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import type { AgentOptionsResource } from '../../../../src/contract/agent-options.ts'
import { YesNoField } from '../../../ui/choice-field.tsx'
import { FormColumns } from '../../../ui/form.tsx'
import { MoreFields } from '../../../ui/more-fields.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { useSession } from '../../api/session.ts'
import { FormView } from '../../forms/form-view.tsx'
import { type FormState, useForm } from '../../forms/use-form.ts'
import { ContextField } from './context-field.tsx'
import { emptyJobForm, type JobForm, makeIdempotencyKey, readJobForm } from './job-form.ts'
import { jobTemplates } from './job-templates.ts'
import { TemplateChooser } from './template-chooser.tsx'
import { agentJobOperations } from '../../../../src/contract/operations/agent-jobs.ts'
import { call } from '../../api/call.ts'
import { say, sayParts } from '../../../words/say.ts'

export interface NewJobFormProps {
  /** At least one. */
  sites: readonly SiteResource[]
  site: SiteResource
  /** Path of the page that the job is about. */
  page: string | undefined
  options: AgentOptionsResource
}

export function NewJobForm({ sites, site, page, options }: NewJobFormProps) {
  const form = useJobForm(sites, site, page)
  return (
    <FormView form={form} action={say('Start job')}>
      {options.isOffline ? <OfflineNotice /> : null}
      <PromptFields form={form} />
      <PlaceFields form={form} sites={sites} options={options} />
    </FormView>
  )
}

/** Starts the job and shows it. Submitting the same form again, as after a lost reply, starts no second job. */
function useJobForm(sites: readonly SiteResource[], site: SiteResource, page: string | undefined) {
  const { organization } = useSession()
  const navigate = useNavigate()
  const wish = useRef({ sent: '', key: '' })
  return useForm({
    initial: () => emptyJobForm(site.id, page),
    send: (form) => {
      const job = readJobForm(form)
      const sent = JSON.stringify(job)
      if (wish.current.sent !== sent) wish.current = { sent, key: makeIdempotencyKey() }
      const projectId = sites.find(({ id }) => id === form.siteId)?.projectId ?? ''
      return call(agentJobOperations.createJob, {
        params: { projectId },
        headers: { 'Idempotency-Key': wish.current.key },
        body: job,
      })
    },
    onDone: ({ id }) =>
      navigate({ to: '/$organization/jobs/$jobId', params: { organization: organization.id, jobId: id } }),
  })
}

function OfflineNotice() {
  const { organization } = useSession()
  return (
    <Notice tone="accent">
      {sayParts(
        'Without a language model the agent follows literal instructions only, such as those of the templates below. <link>Choose a model</link> for anything else.',
        {
          link: (text) => (
            <Link to="/$organization/settings" params={{ organization: organization.id }}>
              {text}
            </Link>
          ),
        },
      )}
    </Notice>
  )
}

interface FieldsProps {
  form: FormState<JobForm>
}

function PromptFields({ form }: FieldsProps) {
  return (
    <>
      <TemplateChooser
        templates={jobTemplates}
        prompt={form.values.prompt}
        onChoose={(prompt) => form.set({ prompt })}
      />
      <TextAreaField
        label={say('What to change')}
        description={say('In plain words. Refer to pages by path and put exact text in quotes.')}
        required
        rows={6}
        {...form.field('prompt', say('The text'))}
      />
    </>
  )
}

interface PlaceFieldsProps extends FieldsProps {
  sites: readonly SiteResource[]
  options: AgentOptionsResource
}

function PlaceFields({ form, sites, options }: PlaceFieldsProps) {
  return (
    <>
      {sites.length === 1 ? null : (
        <SelectField
          label={say('Site')}
          options={sites.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.field('siteId', say('The site'), 'site')}
        />
      )}
      <MoreFields>
        <FormColumns>
          <TextField
            label={say('Base branch')}
            isOptional
            description={say('The branch to start from and merge into.')}
            placeholder={say('Branch of the site')}
            maxLength={200}
            {...form.field('baseBranch', say('The base branch'))}
          />
          <TextField
            label={say('Target branch')}
            isOptional
            description={say('If it has an open pull request, the job continues that.')}
            placeholder={say('New branch')}
            maxLength={200}
            {...form.field('branch', say('The branch'))}
          />
          {options.models.length < 2 ? null : (
            <SelectField
              label={say('Model')}
              options={[
                { value: '', label: say('{model} (default)', { model: options.model }) },
                ...options.models.filter((id) => id !== options.model).map((id) => ({ value: id, label: id })),
              ]}
              {...form.field('model', say('The model'))}
            />
          )}
        </FormColumns>
        <YesNoField
          legend={say('Pull request')}
          label={say('Open the pull request as a draft')}
          {...form.field('isDraft')}
        />
        <ContextField context={form.values.context} onChange={(context) => form.set({ context })} />
      </MoreFields>
    </>
  )
}
