import { findsNothingIn } from './axe-tour'

findsNothingIn([['dark', 1440], ['light', 720]])
