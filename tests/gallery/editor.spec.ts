import { editorScreens } from './editor.ts'
import { testScreens } from './gallery.ts'

testScreens(editorScreens)
