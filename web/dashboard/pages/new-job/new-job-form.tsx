import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import type { AgentOptionsResource } from '../../../../src/contract/agent-options.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckboxField } from '../../../ui/choice-field.tsx'
import { Form, FormActions, FormColumns } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { ApiError, describeError, describeFieldError } from '../../api/api-error.ts'
import { createJob } from '../../api/jobs.ts'
import { useSession } from '../../api/session.ts'
import { ContextField } from './context-field.tsx'
import { emptyJobForm, type JobForm, makeIdempotencyKey, readJobForm } from './job-form.ts'
import { jobTemplates } from './job-templates.ts'
import { TemplateChooser } from './template-chooser.tsx'

export interface NewJobFormProps {
  /** At least one. */
  sites: readonly SiteResource[]
  site: SiteResource
  options: AgentOptionsResource
}

export function NewJobForm({ sites, site, options }: NewJobFormProps) {
  const [form, setForm] = useState(() => emptyJobForm(site.id))
  const create = useCreateJob(sites)
  const change = (part: Partial<JobForm>) => setForm((form) => ({ ...form, ...part }))
  const hasFieldErrors = create.error instanceof ApiError && create.error.details.length > 0
  return (
    <Form isBusy={create.isPending} onSubmit={() => create.mutate(form)}>
      {options.isOffline ? <OfflineNotice /> : null}
      {create.isError && !hasFieldErrors ? <Notice tone="danger">{describeError(create.error)}</Notice> : null}
      <PromptFields form={form} error={create.error} onChange={change} />
      <PlaceFields form={form} sites={sites} options={options} error={create.error} onChange={change} />
      <ContextField context={form.context} onChange={(context) => change({ context })} />
      <FormActions>
        <Button type="submit" look="primary" isBusy={create.isPending}>
          Start the job
        </Button>
      </FormActions>
    </Form>
  )
}

/** Begins the job and shows it. The same once more, as after an answer that was lost, begins no second. */
function useCreateJob(sites: readonly SiteResource[]) {
  const { organization } = useSession()
  const navigate = useNavigate()
  const wish = useRef({ sent: '', key: '' })
  return useMutation({
    mutationFn: (form: JobForm) => {
      const job = readJobForm(form)
      const sent = JSON.stringify(job)
      if (wish.current.sent !== sent) wish.current = { sent, key: makeIdempotencyKey() }
      const projectId = sites.find(({ id }) => id === form.siteId)?.projectId ?? ''
      return createJob(projectId, job, wish.current.key)
    },
    onSuccess: ({ id }) =>
      navigate({ to: '/$organization/jobs/$jobId', params: { organization: organization.id, jobId: id } }),
  })
}

/** The built-in model is honest about what it is. */
function OfflineNotice() {
  return (
    <Notice tone="accent">
      No language model is set, so that the agent follows literal instructions only: those of the templates below, and
      to delete a page or set a field of its frontmatter. Anything else ends with a sentence that says which setting is
      needed.
    </Notice>
  )
}

interface FieldsProps {
  form: JobForm
  /** What the service said of the form that was sent. */
  error: unknown
  onChange(part: Partial<JobForm>): void
}

function PromptFields({ form, error, onChange }: FieldsProps) {
  return (
    <>
      <TemplateChooser templates={jobTemplates} prompt={form.prompt} onChoose={(prompt) => onChange({ prompt })} />
      <TextAreaField
        label="What to change"
        description="In words. Name pages by their path, and texts in quotes."
        required
        rows={6}
        value={form.prompt}
        onValueChange={(prompt) => onChange({ prompt })}
        error={describeFieldError(error, 'The text', 'prompt')}
      />
    </>
  )
}

const draftChoices = [{ value: 'draft', label: 'Open the pull request as a draft' }] as const

interface PlaceFieldsProps extends FieldsProps {
  sites: readonly SiteResource[]
  options: AgentOptionsResource
}

function PlaceFields({ form, sites, options, error, onChange }: PlaceFieldsProps) {
  return (
    <>
      <FormColumns>
        <SelectField
          label="Site"
          value={form.siteId}
          options={sites.map(({ id, name }) => ({ value: id, label: name }))}
          onValueChange={(siteId) => onChange({ siteId })}
          error={describeFieldError(error, 'The site', 'site')}
        />
        <TextField
          label="Base branch"
          isOptional
          description="What it works from and is merged into."
          placeholder="the branch of the site"
          maxLength={200}
          value={form.baseBranch}
          onValueChange={(baseBranch) => onChange({ baseBranch })}
          error={describeFieldError(error, 'The base branch', 'baseBranch')}
        />
        <TextField
          label="Branch to write to"
          isOptional
          description="One with an open pull request is continued."
          placeholder="a new one"
          maxLength={200}
          value={form.branch}
          onValueChange={(branch) => onChange({ branch })}
          error={describeFieldError(error, 'The branch', 'branch')}
        />
        {options.models.length < 2 ? null : (
          <SelectField
            label="Model"
            value={form.model}
            options={[
              { value: '', label: `${options.model} (default)` },
              ...options.models.filter((id) => id !== options.model).map((id) => ({ value: id, label: id })),
            ]}
            onValueChange={(model) => onChange({ model })}
            error={describeFieldError(error, 'The model', 'model')}
          />
        )}
      </FormColumns>
      <CheckboxField
        legend="Pull request"
        choices={draftChoices}
        values={form.isDraft ? ['draft'] : []}
        onValuesChange={(values) => onChange({ isDraft: values.includes('draft') })}
      />
    </>
  )
}
