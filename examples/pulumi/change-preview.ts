/** Logs at `pulumi preview` what each update of a Kubernetes object does to its pods. Import it before modules that create resources. */
import * as pulumi from '@pulumi/pulumi';
import { changePreview } from 'rolloutkit/pulumi';

pulumi.runtime.registerResourceTransform(changePreview({ versions: { kubernetes: '1.34' } }));
