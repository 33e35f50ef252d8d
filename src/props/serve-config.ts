import { ANY, LIST, MAP, STRING, closeSchema, defineList, defineMap, limitValues } from '../core/values/schema';
import type { SchemasFor } from '../core/values/schema';
import { allowChoices, allowIntegers, allowIntegersOr, allowNumbers, POSITIVE_NUMBERS } from '../core/values/value-limit';
import type { RayActorOptions, ServeApplication, ServeAutoscalingConfig, ServeConfig, ServeDeployment } from '../systems/kuberay/types';

/** Why Ray would refuse a number. Source: Ray 2.46, python/ray/serve/schema.py and config.py. */
const REFUSED_BY_SERVE = 'which Ray Serve refuses';

const COUNT = limitValues(ANY, allowIntegers(0), REFUSED_BY_SERVE);
const POSITIVE_COUNT = limitValues(ANY, allowIntegers(1), REFUSED_BY_SERVE);
const NOT_NEGATIVE = limitValues(ANY, allowNumbers(0), REFUSED_BY_SERVE);
const POSITIVE = limitValues(ANY, POSITIVE_NUMBERS, REFUSED_BY_SERVE);

const RAY_ACTOR_OPTIONS = {
  num_cpus: NOT_NEGATIVE,
  num_gpus: NOT_NEGATIVE,
  memory: NOT_NEGATIVE,
  object_store_memory: NOT_NEGATIVE,
  resources: MAP,
  runtime_env: MAP,
  accelerator_type: STRING,
  others: MAP,
} satisfies SchemasFor<RayActorOptions>;

const SERVE_AUTOSCALING = {
  min_replicas: COUNT,
  max_replicas: POSITIVE_COUNT,
  initial_replicas: COUNT,
  target_ongoing_requests: POSITIVE,
  look_back_period_s: POSITIVE,
  metrics_interval_s: POSITIVE,
  upscale_delay_s: NOT_NEGATIVE,
  downscale_delay_s: NOT_NEGATIVE,
  downscale_to_zero_delay_s: NOT_NEGATIVE,
  upscaling_factor: POSITIVE,
  downscaling_factor: POSITIVE,
  smoothing_factor: POSITIVE,
  upscale_smoothing_factor: POSITIVE,
  downscale_smoothing_factor: POSITIVE,
  policy: MAP,
  others: MAP,
} satisfies SchemasFor<ServeAutoscalingConfig>;

/** Fields of a Serve deployment. Ray validates the numbers. */
const SERVE_DEPLOYMENT = {
  name: STRING,
  num_replicas: limitValues(ANY, allowIntegersOr('auto', 0), REFUSED_BY_SERVE),
  autoscaling_config: closeSchema(defineMap(SERVE_AUTOSCALING)),
  ray_actor_options: closeSchema(defineMap(RAY_ACTOR_OPTIONS)),
  max_ongoing_requests: POSITIVE_COUNT,
  user_config: ANY,
  max_queued_requests: limitValues(ANY, allowIntegers(-1), REFUSED_BY_SERVE),
  graceful_shutdown_wait_loop_s: NOT_NEGATIVE,
  graceful_shutdown_timeout_s: NOT_NEGATIVE,
  health_check_period_s: POSITIVE,
  health_check_timeout_s: POSITIVE,
  placement_group_bundles: LIST,
  placement_group_strategy: STRING,
  max_replicas_per_node: limitValues(ANY, allowIntegers(1, 100), REFUSED_BY_SERVE),
  logging_config: MAP,
  request_router_config: MAP,
  others: MAP,
} satisfies SchemasFor<ServeDeployment>;

/** Schema of a Serve config. */
export const SERVE_CONFIG = closeSchema(
  defineMap({
    applications: closeSchema(
      defineList({
        name: STRING,
        import_path: STRING,
        route_prefix: STRING,
        runtime_env: MAP,
        args: MAP,
        deployments: closeSchema(defineList(SERVE_DEPLOYMENT)),
      } satisfies SchemasFor<ServeApplication>),
    ),
    proxy_location: limitValues(STRING, allowChoices('EveryNode', 'HeadOnly', 'Disabled'), REFUSED_BY_SERVE),
    http_options: defineMap({ port: limitValues(ANY, allowIntegers(0, 65_535), REFUSED_BY_SERVE) }),
    grpc_options: MAP,
    logging_config: MAP,
    // Checked by a separate rule.
    target_capacity: ANY,
  } satisfies SchemasFor<ServeConfig & { readonly target_capacity: unknown }>),
);
