import type { Area } from '../operation';
import { signin } from './signin';

/** The twelve operations on sessions and tokens. */
export const openAuthenticationArea: Area = () => Promise.resolve({ Signin: signin });
