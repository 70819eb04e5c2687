-- CreateTable
CREATE TABLE "schedule" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "deployment_id" UUID,
    "rule" JSONB,
    "idle_minutes" INTEGER,
    "keep_from" TIMESTAMPTZ(3),
    "keep_until" TIMESTAMPTZ(3),
    "counts_from" TIMESTAMPTZ(3) NOT NULL,
    "updated_by_id" UUID,

    CONSTRAINT "schedule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "schedule_firing" (
    "id" TEXT NOT NULL,
    "deployment_id" UUID NOT NULL,
    "slot" TIMESTAMPTZ(3) NOT NULL,
    "action" TEXT NOT NULL,
    "cause" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'claimed',
    "message" TEXT NOT NULL DEFAULT '',
    "attempts" INTEGER NOT NULL DEFAULT 1,
    "leased_until" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "schedule_firing_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sleep" (
    "id" UUID NOT NULL,
    "deployment_id" UUID NOT NULL,
    "cause" TEXT NOT NULL,
    "replicas" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "sleep_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "wake" (
    "id" UUID NOT NULL,
    "deployment_id" UUID NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waking',
    "reason" TEXT NOT NULL DEFAULT '',
    "requested_by_id" UUID,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "wake_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "engine_use" (
    "deployment_id" UUID NOT NULL,
    "requests" DOUBLE PRECISION NOT NULL,
    "running" DOUBLE PRECISION NOT NULL,
    "waiting" DOUBLE PRECISION NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "busy_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "engine_use_pkey" PRIMARY KEY ("deployment_id")
);

-- CreateTable
CREATE TABLE "drift" (
    "deployment_id" UUID NOT NULL,
    "objects" JSONB NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "drift_pkey" PRIMARY KEY ("deployment_id")
);

-- CreateTable
CREATE TABLE "privacy_check" (
    "id" UUID NOT NULL,
    "deployment_id" UUID NOT NULL,
    "facts" JSONB NOT NULL,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "privacy_check_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "schedule_deployment_id_key" ON "schedule"("deployment_id");

-- CreateIndex
CREATE INDEX "schedule_environment_id_idx" ON "schedule"("environment_id");

-- CreateIndex
CREATE INDEX "schedule_firing_deployment_id_slot_idx" ON "schedule_firing"("deployment_id", "slot");

-- CreateIndex
CREATE INDEX "sleep_deployment_id_started_at_idx" ON "sleep"("deployment_id", "started_at");

-- CreateIndex
CREATE INDEX "wake_deployment_id_requested_at_idx" ON "wake"("deployment_id", "requested_at");

-- CreateIndex
CREATE INDEX "privacy_check_deployment_id_at_idx" ON "privacy_check"("deployment_id", "at");

-- AddForeignKey
ALTER TABLE "schedule" ADD CONSTRAINT "schedule_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "schedule" ADD CONSTRAINT "schedule_deployment_id_fkey" FOREIGN KEY ("deployment_id") REFERENCES "deployment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "schedule_firing" ADD CONSTRAINT "schedule_firing_deployment_id_fkey" FOREIGN KEY ("deployment_id") REFERENCES "deployment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sleep" ADD CONSTRAINT "sleep_deployment_id_fkey" FOREIGN KEY ("deployment_id") REFERENCES "deployment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wake" ADD CONSTRAINT "wake_deployment_id_fkey" FOREIGN KEY ("deployment_id") REFERENCES "deployment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "engine_use" ADD CONSTRAINT "engine_use_deployment_id_fkey" FOREIGN KEY ("deployment_id") REFERENCES "deployment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "drift" ADD CONSTRAINT "drift_deployment_id_fkey" FOREIGN KEY ("deployment_id") REFERENCES "deployment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "privacy_check" ADD CONSTRAINT "privacy_check_deployment_id_fkey" FOREIGN KEY ("deployment_id") REFERENCES "deployment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One schedule for a whole environment, and one waking of a deployment at a time.
CREATE UNIQUE INDEX "schedule_of_environment" ON "schedule"("environment_id") WHERE "deployment_id" IS NULL;
CREATE UNIQUE INDEX "wake_under_way" ON "wake"("deployment_id") WHERE "state" = 'waking';
CREATE UNIQUE INDEX "sleep_under_way" ON "sleep"("deployment_id") WHERE "ended_at" IS NULL;
