import { call } from '../../api/page-client.ts'
import { useSignal } from '../../ui/use-signal.ts'

/** Validates the token each time a panel opens. The answer is only logged; a 403 leads to the login. */
export function useSessionCheck() {
  useSignal([], (signal) =>
    call('GET /user/validate').then(
      ({ data }) => console.log(data),
      (error) => signal.aborted || console.error(error),
    ),
  )
}
