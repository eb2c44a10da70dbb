import { contentScreens } from './content.ts'
import { editorScreens } from './editor.ts'
import { inboxScreens } from './inbox.ts'
import { portalScreens } from './portal.ts'
import { publicScreens } from './public.ts'
import { signInScreens } from './sign-in.ts'
import type { Screen } from './state.ts'

/** Every screen of the product, by the file that looks at it. Each list needs an installation of its own. */
export const galleries: Readonly<Record<string, readonly Screen[]>> = {
  public: publicScreens,
  'sign-in': signInScreens,
  portal: portalScreens,
  content: contentScreens,
  editor: editorScreens,
  inbox: inboxScreens,
}
