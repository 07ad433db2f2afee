<?php

declare(strict_types=1);

require dirname(__DIR__) . '/lib/shelf.php';

$total = 0;
foreach (glob(dirname(__DIR__) . '/counts/*.csv') ?: [] as $count) {
    $left = array_sum(array_column(read_shelves($count), 'left'));
    $total += $left;
    printf("%s %s: %d\n", date('c'), basename($count), $left);
}
printf("%s all counts: %d\n", date('c'), $total);
