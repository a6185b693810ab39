import { useQuery } from '@tanstack/react-query'
import type { LocalModel, StoredSettingResource } from '../../../../src/contract/model-settings.ts'
import { settingOperations } from '../../../../src/contract/operations/settings.ts'
import { Button } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { queryOf } from '../../api/call.ts'
import { useChange } from '../../forms/use-change.ts'
import { updateSetting } from './update-setting.ts'
import { say } from '../../../words/say.ts'

/** Offers the models on the service's machine for as long as nothing is set. */
export function LocalModels({ settings }: { settings: readonly StoredSettingResource[] }) {
  const isUnset = settings.every(({ source }) => source === 'default')
  const found = useQuery({ ...queryOf(settingOperations.listLocalModels), enabled: isUnset })
  const use = useChange({
    send: async ({ id, baseUrl }: LocalModel) => {
      await updateSetting('modelBaseUrl', baseUrl)
      await updateSetting('model', id)
    },
    done: say('The model answers, starting with the next question.'),
    undo: () => async () => {
      await updateSetting('model', null)
      await updateSetting('modelBaseUrl', null)
    },
    stale: ['listSettings'],
    hasFailureToast: true,
  })
  const models = found.data?.items ?? []
  if (!isUnset || models.length === 0) return null
  return (
    <Notice>
      <p>{say('These models run on this machine. Docent uses none until you choose it.')}</p>
      <Facts
        facts={models.map((model) => [
          `${model.id.slice(model.id.indexOf('/') + 1)} (${model.server})`,
          <Button
            key={model.id}
            isBusy={use.isPending && use.variables === model}
            aria-label={say('Use {id}', { id: model.id })}
            onClick={() => use.mutate(model)}
          >
            {say('Use')}
          </Button>,
        ])}
      />
    </Notice>
  )
}
