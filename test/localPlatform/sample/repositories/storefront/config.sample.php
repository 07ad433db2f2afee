<?php

return [
    'database' => [
        'host' => getenv('SHOP_DATABASE_HOST') ?: '127.0.0.1',
        'name' => getenv('SHOP_DATABASE_NAME') ?: 'storefront',
        'user' => getenv('SHOP_DATABASE_USER') ?: 'shop',
        'password' => getenv('SHOP_DATABASE_PASSWORD') ?: '',
    ],
];
