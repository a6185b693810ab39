import type { SiteResource } from '../../../../src/contract/admin.ts'
import type { AutomationResource } from '../../../../src/contract/automations.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormView } from '../../forms/form-view.tsx'
import { useForm } from '../../forms/use-form.ts'
import { AutomationFields } from './automation-fields.tsx'
import { emptyAutomationForm, readAutomationForm, toAutomationForm } from './automation-form.ts'
import { automationOperations } from '../../../../src/contract/operations/automations.ts'
import { call } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

export interface AutomationDialogProps {
  sites: readonly SiteResource[]
  /** The automation to edit; null for a new one. */
  automation: AutomationResource | null
  isOpen: boolean
  onClose(): void
}

export function AutomationDialog({ sites, automation, isOpen, onClose }: AutomationDialogProps) {
  return (
    <Dialog
      title={automation === null ? say('New automation') : say('Edit {name}', { name: automation.name })}
      isOpen={isOpen}
      onClose={onClose}
      closesOutside={false}
    >
      <AutomationFormView sites={sites} automation={automation} onClose={onClose} />
    </Dialog>
  )
}

function AutomationFormView({ sites, automation, onClose }: Omit<AutomationDialogProps, 'isOpen'>) {
  const form = useForm({
    initial: () => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
      return automation === null
        ? emptyAutomationForm(sites[0]?.id ?? '', timeZone)
        : toAutomationForm(automation, timeZone)
    },
    send: (values) => {
      const { site, ...rest } = readAutomationForm(values)
      if (automation === null) return call(automationOperations.createAutomation, { body: { site, ...rest } })
      return call(automationOperations.updateAutomation, { params: { id: automation.id }, body: rest })
    },
    done: ({ name }) => say('Saved {name}.', { name }),
    undo: (_saved, _values, base) => {
      if (automation === null) return null
      const { site: _site, ...before } = readAutomationForm(base)
      return () => call(automationOperations.updateAutomation, { params: { id: automation.id }, body: before })
    },
    stale: ['listAutomations', 'getAutomation'],
    onDone: onClose,
  })
  return (
    <FormView form={form} action={say('Save')} onCancel={onClose}>
      <AutomationFields form={form} sites={automation === null ? sites : null} />
    </FormView>
  )
}
